#!/usr/bin/env python3
"""A class in real browsers: `warpshop serve` behind a proxy with a path, a lecturer with a board, students
with a laptop and a phone, by keys, mouse and touch.

    class_test.py WARPSHOP [GPU_WORKER]

Skipped (77) without a Chromium; without a worker, nothing is measured.
"""
import csv
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

from browser import Browser, Failure, PATIENCE, chromium
from prefix_proxy import PrefixProxy

PREFIX = "/courses/gpu"
ADA = "Ada <b onclick=alert(1)>& 梅</b>"  # a joker, and any script
PHONE = "Максим"
FORMULA = "=1+1|cmd"  # what a spreadsheet would execute
EDITOR = (640, 400)  # in a window of 1280 × 800
GPU_ROW = (640, 400)  # likewise, where the lab asks where kernels are measured
SOLUTION = ("__global__ void twice(const float* in, float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
            "if (i < n) out[i] = 2.0f * in[i]; } "
            "__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }")
QUESTION = "How many sectors does each load request touch"


def check(holds, what):
    if not holds:
        raise Failure(what)


class Server:
    def __init__(self, program, folder):
        self.command = [program, "serve", "--address", "127.0.0.1", "--class", "GPU class", "--data",
                        os.path.join(folder, "data"), *(["--worker", sys.argv[2]] if len(sys.argv) > 2 else [])]
        self.log = os.path.join(folder, "log")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.process = None

    def start(self):
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + PATIENCE
        while not (re.search(r"token", self.said(), re.I) and self._answers()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failure("the server did not start:\n" + self.said())
            time.sleep(0.05)
        self.code = self._told(r"code\W+(\S+)")
        self.token = self._told(r"token\W+(\S+)")

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()

    def _told(self, pattern):
        found = re.search(pattern, self.said(), re.IGNORECASE)
        check(found, f"the server's start says nothing like {pattern}:\n{self.said()}")
        return found[1]

    def _answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Class:
    """The scenes of one lesson, in order."""

    def __init__(self, browser, server, address):
        self.browser, self.server, self.address = browser, server, address
        self.lecturer = browser.person(width=1440, height=900)
        self.laptop = browser.person()
        self.phone = browser.person(width=390, height=844, phone=True, scale=2, dark=True)
        self.pages = []

    def open(self, person, path):
        page = person.open(self.address + path)
        self.pages.append(page)
        return page

    def lecturer_logs_in(self):
        desk = self.desk = self.open(self.lecturer, "lecturer")
        desk.type("#token", "wrong")
        desk.press("Enter")
        desk.wait_text("This is not the token")
        desk.type("#token", self.server.token)
        desk.press("Enter")
        desk.wait_text("Nobody has joined yet")
        check(self.server.token not in desk.value("location.href"), "the token is in the address")
        check("HttpOnly" not in desk.value("document.cookie") and "warpshop" not in desk.value("document.cookie"),
              "scripts can read the cookie")
        board = self.board = self.open(self.lecturer, "board")
        board.wait_text(self.server.code, "#large-code")
        board.wait_text("Nobody is here yet")

    def students_join(self):
        laptop = self.open(self.laptop, "")
        laptop.type("#name-field", ADA)
        laptop.type("#code-field", "WRONG")
        laptop.press("Enter")
        laptop.wait_text("This is not the code of this class", "#join-error")
        laptop.type("#code-field", self.server.code.upper())
        laptop.press("Enter")
        laptop.wait_text(f"You are in the class as {ADA}.")
        self.key = laptop.value("document.querySelector('#key').textContent")
        check(len(self.key) >= 4, f"no key for a second device: {self.key}")
        laptop.click("a.button", "Only vote")
        laptop.wait_text("No question at the moment")
        self.ada = laptop

        phone = self.open(self.phone, "#" + self.server.code)
        phone.wait("location.hash === '' && document.querySelector('#code-field').value", "the code to leave the address")
        phone.type("#name-field", ADA.upper())
        phone.tap("button[type=submit]")
        phone.wait_text("Somebody with this name is in the class", "#join-error")
        phone.type("#name-field", PHONE)
        phone.tap("#join-form button[type=submit]")
        phone.wait_text(f"You are in the class as {PHONE}.")
        phone.tap("a.button", "Vote on this phone")
        phone.wait_text("No question at the moment")
        self.max = phone
        self.board.wait_text("2 people are here")
        self.desk.wait_text("2 of 2 students here")
        self.desk.wait_text(ADA, "#students td.name")
        check(not self.desk.value("document.querySelector('#students b')"), "a name became HTML")
        check(ADA not in self.board.text(), "the board names somebody")

    def question(self):
        desk = self.desk
        desk.choose("#lab", "Coalescing")
        desk.choose("#step", "What one warp asks for")
        asked = desk.wait("[...document.querySelectorAll('#questions li')].findIndex((one) => "
                          f"one.innerText.includes({json.dumps(QUESTION)})) + 1", "the question in the list")
        desk.click(f"#questions li:nth-child({asked}) button", "Ask")
        for page in (self.board, self.ada, self.max):
            page.wait_text(QUESTION, ".ask")
        choices = "[...document.querySelectorAll('.choice-text')].map((choice) => choice.innerText)"
        self.choices = self.ada.value(choices)
        check(sorted(self.choices) == ["16", "32", "4", "8"], f"other choices: {self.choices}")
        check(self.board.value(choices) == self.choices, "the board has them in another order")
        self.answer(self.ada, self.choices[1], by=self.ada.click)
        self.ada.press("ArrowDown")  # the next choice, by the keyboard
        self.ada.wait_text("Your answer is in: C.")
        self.answer(self.max, self.choices[0])
        self.board.wait_text("2 of 2 answers are in")
        self.wait_counts(desk, {self.choices[0]: ["1"], self.choices[2]: ["1"]})
        check(not self.board.value("document.querySelector('.counts')"), "the board shows answers before the reveal")

    def answer(self, page, choice, by=None):
        (by or page.tap)("label.choice", choice)
        page.wait_text(f"Your answer is in: {'ABCD'[self.choices.index(choice)]}.")

    def wait_counts(self, page, expected):
        """The votes for each choice, round by round; where none are expected, there are none."""
        rounds = len(next(iter(expected.values())))
        rows = [expected.get(choice, ["0"] * rounds) for choice in self.choices]
        page.wait(f"JSON.stringify([...document.querySelectorAll('.count-row')].map((row) => "
                  f"[...row.querySelectorAll('.count')].map((count) => count.firstChild.textContent))) === "
                  f"{json.dumps(json.dumps(rows, separators=(',', ':')))}", f"counts {rows}")

    def server_dies_during_the_vote(self):
        self.server.kill()
        for page in (self.ada, self.max, self.board, self.desk):
            page.wait_text("No connection")
        self.max.tap("label.choice", "32")
        self.max.wait_text(f"Your answer ({'ABCD'[self.choices.index('32')]}) is kept")
        self.max.reload()  # with nobody there: the page itself is gone, the answer is not
        self.server.start()
        self.max.go(self.address + "vote")
        self.max.wait_text("Your answer is in: ")
        self.ada.wait_text("Your answer is in: C.")
        self.wait_counts(self.desk, {"32": ["2"]} if self.choices[2] == "32" else
                         {"32": ["1"], self.choices[2]: ["1"]})
        self.board.wait_text("2 of 2 answers are in")
        self.ada.reload()
        self.ada.wait_text("Your answer is in: C.")

    def second_round(self):
        desk = self.desk
        self.answer(self.ada, "16", by=self.ada.click)
        desk.click("#controls button", "Close voting")
        self.max.wait_text("Voting is closed.")
        check(not self.max.value("document.querySelector('label.choice')"), "one can vote after the end")
        desk.click("#controls button", "Ask again after discussion")
        self.max.wait_text("Round 2: answer again")
        for page in (self.ada, self.max):
            for message in page.messages:
                told = json.loads(message)
                poll = told if told.get("type") == "poll" else told.get("poll") or {}
                check(not any(poll.get(name) is not None for name in ("counts", "earlier", "answer", "explanation")),
                      f"a student's page was told before the reveal: {message}")
        self.answer(self.ada, "32", by=self.ada.click)
        self.answer(self.max, "32")
        self.wait_counts(desk, {"16": ["1", "0"], "32": ["1", "2"]})
        desk.click("#controls button", "Close voting")
        desk.click("#controls button", "Reveal the answer")
        for page in (self.board, self.ada, self.max):
            page.wait_text("32", ".count-row.right")  # 32 lanes, 32 bytes apart: a sector each
            self.wait_counts(page, {"16": ["1", "0"], "32": ["1", "2"]})
        check(self.board.value("document.querySelector('main').scrollHeight <= document.querySelector('main').clientHeight"),
              "the board would have to be scrolled")
        self.max.wait_text("your answer", ".count-row.mine")
        desk.click("#controls button", "Done")
        self.max.wait_text("No question at the moment")

    def numbers_as_the_lab_counts_them(self):
        """A typed number is right where it would be in the lab's window, and one sector is not "1 sectors"."""
        rows = self.board.value("""import(new URL("web/poll.js", document.baseURI)).then(({distribution}) => distribution({
            id: 1, round: 1, number: {unit: "sectors", unit_one: "sector"}, answer: 32.1, tolerance: 0.4,
            counts: [{value: 31.7, count: 2}, {value: 31.6, count: 1}, {value: 1, count: 3}]})
            .rows.map(({name, right}) => [name, right]))""")
        check(rows == [["1 sector", False], ["31.6 sectors", False], ["31.7 sectors", True]], f"typed numbers: {rows}")

    def own_question(self):
        desk = self.desk
        desk.click("#own")
        desk.type("#own-text", "How many `SMs` has an <i>H200</i>?")
        desk.click("dialog label", "A number")
        desk.type("#own-answer", "132")
        desk.click("dialog button.main")
        self.max.wait_text("How many SMs has an <i>H200</i>?", ".ask")
        self.max.type(".number-field", "many")
        self.max.press("Enter")
        self.max.wait_text("This is not a number")
        self.max.type(".number-field", "1,32e2")  # a phone's comma
        self.max.tap("button", "Send")
        self.max.wait_text("Your answer is in: 132.")
        self.ada.type(".number-field", "1,024")
        self.ada.press("Enter")
        self.ada.wait_text("Your answer is in: 1,024.")
        desk.click("#controls button", "Close voting")
        desk.click("#controls button", "Reveal the answer")
        self.max.wait_text("132", ".count-row.right.mine")
        self.ada.wait_text("1,024", ".count-row.mine")
        desk.click("#controls button", "Done")

    def lab_in_other_browsers(self):
        """What a browser lacks is said where the lab would be; voting remains."""
        for lacks, says in [("delete window.SharedArrayBuffer", "The browser gives this page no threads"),
                            ("HTMLCanvasElement.prototype.getContext = () => null", "It has no WebGL 2"),
                            ("WebAssembly.validate = () => false", "This browser is too old for the lab")]:
            page = self.open(self.laptop, "vote")
            page.call("Page.addScriptToEvaluateOnNewDocument", source=lacks)
            page.go(self.address + "lab/")
            page.wait_text(says)
            page.click("a.button", "Start page")
            page.wait_text("Only vote")
            self.pages.remove(page)
            page.close()

    def lab(self):
        """Where the lab's own page is built: a solution is typed, and the class is there."""
        if self.desk.value("fetch('lab/bundle.json').then((answer) => answer.status)") != 200:
            print("lab: not built (Emscripten); without it ", end="")
            return
        lab = self.open(self.laptop, "lab/#coalescing/one-warp")
        lab.wait("document.querySelector('#cover').hidden", "the lab's window")
        self.wait_row(ADA, "1 What one warp asks for")
        lab.click_at(*EDITOR)
        lab.press("a", "Control")
        lab.keys(SOLUTION)
        lab.press("F6")
        self.wait_row(ADA, "1 What one warp asks for", steps="1")
        self.board.wait_text("1 of 2", ".step")
        self.lecturer.language = "de"
        german = self.open(self.lecturer, "board")
        self.lecturer.language = "en"
        german.wait_text("Was ein Warp verlangt", ".step")
        self.pages.remove(german)
        german.close()

        desk = self.desk
        desk.choose("#step", "Neighbours, not runs")
        desk.click("#follow")
        self.wait_row(ADA, "2 Neighbours, not runs", steps="1")  # of this one, nothing has run
        lab.click("#class button", "Back to my own work")
        self.wait_row(ADA, "1 What one warp asks for")
        desk.click("#follow")
        desk.wait("document.querySelector('#follow').getAttribute('aria-pressed') === 'false'")

        desk.click("#questions button", "Ask")
        lab.type("#class .number-field", "7")
        lab.press("Enter")
        lab.wait_text("Your answer is in: 7", "#class")
        desk.click("#controls button", "Drop the question")
        desk.wait_text("No question is open")

        self.server.kill()
        lab.wait_text("No connection to the class", "#class")
        self.server.start()
        lab.wait("document.querySelector('.class-line').hidden", "the class to be there again")
        lab.reload()
        lab.wait("document.querySelector('#cover').hidden", "the lab's window")
        lab.click_at(*EDITOR)
        lab.press("F6")  # the text is still the solution, and passes again
        self.wait_row(ADA, "1 What one warp asks for", steps="1", checks="5 of 5")
        lab.close()
        self.pages.remove(lab)
        check(not lab.errors, f"the lab: {lab.errors}")

    def lab_measures_on_the_class_gpu(self):
        """Whoever chooses the GPU gets a turn, which ends when the page is closed."""
        if len(sys.argv) < 3 or self.desk.value("fetch('lab/bundle.json').then((answer) => answer.status)") != 200:
            print("no worker, or no lab: ", end="")
            return
        self.desk.wait_text("1 worker, idle", "#gpu-workers")
        lab = self.open(self.laptop, "lab/#coalescing/one-warp")
        lab.wait("document.querySelector('#cover').hidden", "the lab's window")
        check(not any("api/gpu" in address for address in lab.requests), "the GPU is used before anybody has chosen it")
        lab.click_at(*EDITOR)
        lab.press("F6", "Control")
        self.wait_message(lab, lambda told: told.get("type") == "hello" and told["gpus"])
        lab.click_at(*GPU_ROW)
        lab.press("Escape")
        lab.click_at(*EDITOR)
        lab.press("F6")
        self.desk.wait_text(ADA, "#gpu")
        self.wait_message(lab, lambda told: told.get("type") == "stage" and told["stage"] == "compare")
        lab.close()
        self.desk.wait_text("1 worker, idle", "#gpu-workers")
        self.pages.remove(lab)
        check(not lab.errors, f"the lab: {lab.errors}")

    def wait_row(self, name, place, steps=None, checks=None):
        """Until the desk's table has this student there."""
        cells = f"""[...document.querySelectorAll('#students tbody tr')]
            .map((row) => [...row.cells].map((cell) => cell.innerText.trim())).find((row) => row[0] === {json.dumps(name)})"""
        parts = [(1, place), (2, checks), (4, steps)]
        wanted = " && ".join(f"row[{at}].endsWith({json.dumps(text)})" for at, text in parts if text)
        self.desk.wait(f"((row) => row && {wanted})({cells})", f"{name} at {place}, {steps} steps, {checks}")

    def follow_me(self):
        self.desk.click("#follow")
        self.desk.wait_text("Follow me: on")
        self.desk.click("#next")
        self.wait_message(self.max, lambda told: told.get("type") == "follow" and told.get("on") and
                          told.get("step") == "stride")
        self.desk.click("#follow")
        self.wait_message(self.max, lambda told: told.get("type") == "follow" and not told.get("on"))
        self.desk.wait("document.querySelector('#follow').getAttribute('aria-pressed') === 'false'")

    def wait_message(self, page, matches):
        deadline = time.monotonic() + PATIENCE
        while not any(matches(json.loads(message)) for message in page.messages):
            page.value("0")  # reads what has arrived
            check(time.monotonic() < deadline, f"no such message; the last ones: {page.messages[-3:]}")
            time.sleep(0.05)

    def key_for_a_second_device(self):
        other = self.browser.person()
        page = self.open(other, "")
        page.click("summary")
        page.type("#key-field", "no-such-key-here")
        page.press("Enter")
        page.wait_text("Nobody has this key", "#key-error")
        page.type("#key-field", self.key)
        page.press("Enter")
        page.wait_text(f"You are in the class as {ADA}.")
        self.desk.wait_text("2 of 2 students here")

    def export(self):
        joker = self.open(self.browser.person(), "#" + self.server.code)
        joker.type("#name-field", FORMULA)
        joker.press("Enter")
        joker.wait_text("You are in the class")
        text = self.desk.value("fetch('api/class.csv').then((answer) => answer.text())")
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        check(ADA in cells and PHONE in cells, f"the export lacks a name: {text}")
        check(not any(re.match(r"[=+\-@\t\r]", cell) and not re.fullmatch(r"-?[\d.]+", cell) for cell in cells),
              f"a spreadsheet would execute a cell: {text}")
        refused = self.ada.value("fetch('api/class.csv').then((answer) => answer.status)")
        check(refused in (401, 403), f"a student gets the export: {refused}")

    def removed(self):
        desk = self.desk
        desk.type("#filter", PHONE)
        desk.wait("document.querySelectorAll('#students tbody tr').length === 1")
        desk.click("#students button", "Remove")
        desk.click("dialog button", "Cancel")
        self.max.wait_text("No question at the moment")
        desk.click("#students button", "Remove")
        desk.click("dialog button.danger")
        self.max.wait_text("This page has left the class")
        desk.wait("document.querySelectorAll('#students tbody tr').length === 0")
        self.max.reload()
        self.max.wait("document.querySelector('#name-field')?.getClientRects().length", "the join page")

    def new_code(self):
        old = self.server.code
        self.desk.click("#new-code")
        self.desk.click("dialog button.main")
        self.desk.wait(f"document.querySelector('#code').textContent !== {json.dumps(old)}")
        self.board.press("j")
        self.board.wait_text(self.desk.value("document.querySelector('#code').textContent"), "#large-code")
        check(old not in self.board.text(), "the board shows the old code")
        self.ada.reload()
        self.ada.wait_text("No question at the moment")  # who is in stays in

    def nothing_went_wrong(self):
        for page in self.pages:
            page.value("0")
            check(not page.errors, f"{page.value('location.href')}: {page.errors}")
            own = (self.address, self.address.replace("http", "ws", 1), "data:", "about:", "blob:")
            elsewhere = [address for address in page.requests if not address.startswith(own)]
            check(not elsewhere, f"a page wants what is outside the class's path: {elsewhere}")


SCENES = ["lecturer_logs_in", "students_join", "question", "server_dies_during_the_vote", "second_round",
          "numbers_as_the_lab_counts_them", "own_question",
          "lab_in_other_browsers", "lab",
          "lab_measures_on_the_class_gpu", "follow_me", "key_for_a_second_device", "export", "removed", "new_code", "nothing_went_wrong"]


def main():
    if not chromium():
        print("skipped: there is no Chromium (Debian's package chromium)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        server = Server(sys.argv[1], folder)
        server.start()
        try:
            with PrefixProxy(PREFIX, server.port) as proxy, Browser() as browser:
                lesson = Class(browser, server, proxy.address)
                for scene in SCENES:
                    try:
                        getattr(lesson, scene)()
                    except Failure as failure:
                        print(f"{scene}: {failure}")
                        return 1
                    print(f"{scene}: passed", flush=True)
        finally:
            server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
