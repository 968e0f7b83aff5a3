"""warpshop.check and warpshop.grade, and the HTML of their results."""

import contextlib
import io
import re
import sys
import unittest
import xml.etree.ElementTree as ElementTree

try:
    import numpy as np
except ImportError:
    sys.exit(77)  # the test of the whole package has its own NumPy

import warpshop

PLACE = "coalescing/one-warp"
START = warpshop.skeleton(PLACE)


def solved(text):
    """The start with neighbouring lanes on neighbouring elements."""
    out = re.sub(r"int i = .*;", "int i = blockIdx.x * blockDim.x + threadIdx.x;", text)
    assert out != text
    return out


def elements_of(html):
    """The fragment's elements; it is well-formed XML."""
    return [node.tag.rpartition("}")[2] for node in ElementTree.fromstring(html).iter()]


class Checks(unittest.TestCase):
    def test_the_start_fails_and_says_why(self):
        result = warpshop.check(START, PLACE)
        self.assertFalse(result.passed)
        (loads,) = [check for check in result.checks if "per load request" in check.title]
        self.assertEqual((loads.passed, loads.got, loads.wanted), (False, "32 sectors per request", "at most 5"))
        self.assertEqual(result.counters["global_load_sectors"], 8 * result.reference_counters["global_load_sectors"])
        self.assertIn("✗ At most 5 sectors per load request: got 32 sectors per request", repr(result))
        self.assertEqual(elements_of(result._repr_html_()).count("figure"), 2)
        self.assertIn("32 sectors for one load of a warp", result.html)

    def test_a_solution_passes(self):
        result = warpshop.check(solved(START), PLACE, predict=True)
        self.assertTrue(result.passed, result)
        self.assertGreater(result.predicted_us, 0)
        self.assertIn("Predicted times", result.html)
        self.assertIn("all checks pass", repr(result))

    def test_a_kernel_that_does_not_compile_is_a_result(self):
        result = warpshop.check(START.replace("2.0f", "two"), PLACE)
        self.assertFalse(result.passed)
        (message,) = result.findings
        self.assertEqual((message.file, message.kind), ("one-warp.cu", "compile"))
        self.assertIn('identifier "two" is undefined', repr(result))
        self.assertIn("identifier &quot;two&quot; is undefined", result.html)
        self.assertIn(message.source_line.strip(), result.html.replace("&lt;", "<"))

    def test_wrong_results_are_shown(self):
        result = warpshop.check(START.replace("2.0f *", "3.0f *"), PLACE)
        self.assertFalse(result.checks[0].passed)
        self.assertIn("are wrong", result.html)

    def test_unknown_places_and_gpus_are_errors(self):
        for place, gpu, message in [
            ("coalescing", "h200", "expected LAB/STEP"),
            ("coalescing/nothing", "h200", "no step 'nothing'"),
            ("nothing/stride", "h200", "nothing"),
            (PLACE, "h2000", "h2000"),
        ]:
            with self.subTest(place=place, gpu=gpu), self.assertRaisesRegex(warpshop.WarpshopError, message):
                warpshop.check(START, place, gpu=gpu)
        with self.assertRaisesRegex(TypeError, "expected the kernel's text, got NoneType"):
            warpshop.check(None, PLACE)

    def test_older_gpus_have_their_own_rules(self):
        self.assertIn("GeForce 8800 GT", warpshop.check(START, PLACE, gpu="8800-gt").html)

    def test_every_exercise_has_a_start(self):
        self.assertIn(PLACE, warpshop.labs())


class Html(unittest.TestCase):
    def test_text_never_becomes_markup(self):
        attack = "</pre></style><script>alert(1)</script><img src=x onerror=alert(1)>"
        source = f'// {attack}\n__global__ void k(int* p) {{ printf("{attack}\\n"); p[0] = p[9]; /* {attack} */ }}'
        launch = warpshop.run(source, grid=1, block=1, args=[np.zeros(1, np.int32)])
        self.assertIn(attack, launch.printed)
        self.assertIn("out-of-bounds", [finding.kind for finding in launch.findings])
        found = set(elements_of(launch.html))
        self.assertLessEqual({"style", "pre", "details"}, found)
        self.assertFalse({"script", "img"} & found)

    def test_it_needs_nothing_and_reaches_nothing_outside(self):
        html = warpshop.check(START, PLACE).html
        root = ElementTree.fromstring(html)
        ids = [node.get("id") for node in root.iter() if node.get("id")]
        self.assertEqual(len(ids), len(set(ids)))
        own = root.get("id")
        self.assertTrue(all(name.startswith(own) for name in ids), ids)
        style = next(node.text for node in root.iter() if node.tag == "style")
        for url in re.findall(r"url\(([^)]*)\)", style):
            self.assertIn(url.removeprefix("#") if hasattr(str, "removeprefix") else url[1:], ids)
        # Every rule at the outermost level is about this element alone.
        depth, selector = 0, ""
        for character in re.sub(r"@media screen and \(prefers-color-scheme: dark\) \{(.*?\})\n\}", r"\1", style, flags=re.S):
            if character == "{":
                if depth == 0:
                    for part in re.sub(r"\([^)]*\)", "", selector).split(","):
                        self.assertTrue(part.strip().endswith("#" + own), part)
                    selector = ""
                depth += 1
            elif character == "}":
                depth -= 1
            elif depth == 0:
                selector += character
        self.assertEqual(depth, 0)
        self.assertNotRegex(html, r"@import|(src|href)=\"(?!#)|\bon[a-z]+=\"")

    def test_two_kernels_have_different_ids(self):
        ids = {ElementTree.fromstring(warpshop.check(text, PLACE).html).get("id") for text in (START, solved(START))}
        self.assertEqual(len(ids), 2)


class Grades(unittest.TestCase):
    def grade(self, *arguments, **options):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            return warpshop.grade(*arguments, **options), said.getvalue()

    def test_points(self):
        self.assertEqual(self.grade(solved(START), PLACE, 5)[0], 5.0)
        points, said = self.grade(START, PLACE, 5)
        self.assertEqual(points, 0.0)
        self.assertIn("At most 5 sectors per load request: got 32 sectors", said)

    def test_partial_points_need_correct_results(self):
        # Of five checks, the whole kernel's is judged only once all others pass.
        self.assertEqual(self.grade(START, PLACE, 5, partial=True)[0], 2.0)
        self.assertEqual(self.grade(START.replace("2.0f *", "3.0f *"), PLACE, 5, partial=True)[0], 0.0)

    def test_no_submission_breaks_the_grader(self):
        for source, verdict in [("", "broken"), ("#error no", "broken"), ("\0\1", "refused")]:
            with self.subTest(source):
                points, said = self.grade(source, PLACE)
                self.assertEqual(points, 0.0)
                self.assertIn(f"{PLACE}: {verdict}", said)

    def test_an_unknown_exercise_is_an_error(self):
        for place in ("coalescing", "coalescing/nothing", "../stride", "coalescing/../../stride", "-x/stride"):
            with self.subTest(place), self.assertRaises(warpshop.WarpshopError):
                warpshop.grade(START, place)


if __name__ == "__main__":
    unittest.main()
