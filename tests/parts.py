#!/usr/bin/env python3
"""The tests of one part, as a file for `ctest --tests-information FILE`.

    parts.py BUILD K/N > FILE

Quick tests belong to every part. Of the slow ones, which have the label "slow", part K of N has every Nth from the
Kth on, so that the N parts together run all tests, but for those with the label "machine", which no part has: they
install packages, start a browser or make a system of their own. Error: status 2 and a line on stderr.
"""
import re
import subprocess
import sys


def numbers(build, *options):
    """The numbers that ctest gives the tests that match the options."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only", *options],
                            check=True, capture_output=True, text=True).stdout
    return [int(number) for number in re.findall(r"^ *Test +#(\d+): ", listed, re.MULTILINE)]


def chosen(every, slow, part, parts):
    """All numbers of `every` but those of `slow` that belong to another part."""
    others = set(slow) - set(slow[part - 1::parts])
    return [number for number in every if number not in others]


def main():
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", sys.argv[2] if len(sys.argv) == 3 else "")
    if not match or int(match[1]) > int(match[2]):
        print("parts.py: expected BUILD K/N with 1 <= K <= N, such as build 2/10", file=sys.stderr)
        return 2
    build = sys.argv[1]
    every, slow = numbers(build, "--label-exclude", "^machine$"), numbers(build, "--label-regex", "^slow$")
    if not slow:
        print("parts.py: no test has the label slow", file=sys.stderr)
        return 2
    # An end of 0: only the numbers in the list count.
    print(",0,," + ",".join(map(str, chosen(every, slow, int(match[1]), int(match[2])))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
