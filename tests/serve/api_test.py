#!/usr/bin/env python3
"""What the pages and the lab ask of `warpshop serve`, and what it keeps when it is killed.

    api_test.py WARPSHOP
"""
import contextlib
import csv
import io
import json
import os
import signal
import sqlite3
import sys
import tempfile
import threading

from client import Failure, Person, Refused, Server, check, compiled, eventually, run_tests

PROGRAM = sys.argv[1]
KERNEL = "__global__ void k(float* p) { p[threadIdx.x] = %d; }\n"


def joining():
    with Server(PROGRAM, "--class", "GPU 101") as server:
        nobody = Person(server)
        me = nobody.get("api/me")
        check(me.status == 401 and me.json["class"] == "GPU 101", f"a stranger's api/me: {me}")
        check(nobody.post("api/join", {"name": "Ada", "code": "wrong"}).status == 403, "a wrong code is accepted")
        for name in ["", "   ", "a\u0000b", "a\u202eb", "x" * 61, 7, None]:
            answer = nobody.post("api/join", {"name": name, "code": server.code})
            check(answer.status == 422, f"the name {name!r}: {answer}")
        ada = server.join("  Ada   L. ")
        me = ada.get("api/me").json
        check(me["name"] == "Ada L." and me["student"] == ada.id and not me["lecturer"], f"api/me: {me}")
        check(Person(server).post("api/join", {"name": "aDA l.", "code": server.code}).status == 409, "a taken name")
        cookie = nobody.post("api/join", {"name": "Eve", "code": server.code}).headers["Set-Cookie"]
        check("HttpOnly" in cookie and "SameSite=Strict" in cookie, f"the cookie: {cookie}")
        spoken = f" {server.code[:3].upper()}-{server.code[3:]} "
        check(Person(server).post("api/join", {"name": "Максим", "code": spoken}).status == 200, "a code as spoken")

        phone = Person(server)
        check(phone.post("api/join", {"key": "bcdf-ghjk-mnpq"}).status == 403, "an unknown key is accepted")
        answer = phone.post("api/join", {"key": ada.key.upper()})
        check(answer.status == 200 and answer.json["student"] == ada.id, f"a second device: {answer}")

        lecturer = server.lecturer()
        key = lecturer.post("api/key", {"student": ada.id}).json["key"]
        check(Person(server).post("api/join", {"key": ada.key}).status == 403, "the old key still works")
        check(Person(server).post("api/join", {"key": key}).status == 200, "the new key does not work")
        old = server.code
        server.code = lecturer.post("api/code", {}).json["code"]
        check(Person(server).post("api/join", {"name": "Late", "code": old}).status == 403, "the old code admits")
        server.join("Later")
        check(lecturer.get("api/class").json["code"] == server.code, "api/class has another code")

        check(phone.post("api/leave", {}).status == 200 and phone.get("api/me").status == 401, "leaving")
        check(ada.get("api/me").status == 200, "one device's leaving ends the other's session")
        live = ada.live()
        check(lecturer.post("api/remove", {"student": ada.id}).status == 200, "removing")
        live.until("kicked")
        check(ada.get("api/me").status == 401, "a removed student is still in")
        check(server.join("Ada L.").id != ada.id, "the name is free again, for another student")


def rights():
    with Server(PROGRAM) as server:
        ada = server.join("Ada")
        for method, path in [("GET", "api/class"), ("GET", "api/class.csv"), ("POST", "api/code"), ("POST", "api/key"),
                             ("POST", "api/remove")]:
            check(ada.request(method, path, b"{}").status == 403, f"a student may use {path}")
            check(Person(server).request(method, path, b"{}").status == 401, f"a stranger may use {path}")
        for method, path in [("GET", "api/files"), ("PUT", "api/files/x"), ("GET", "api/labs"), ("POST", "api/compile")]:
            check(Person(server).request(method, path, b"").status == 401, f"a stranger may use {path}")
        check(Person(server).post("api/lecturer", {"token": "x"}).status == 403, "any token makes a lecturer")
        check("answer" not in ada.get("api/labs").body.decode(), "students find the answers in api/labs")
        labs = server.lecturer().get("api/labs?lang=de").json["labs"]
        check(any(step["questions"] for lab in labs for step in lab["steps"]), "the lecturer finds no questions")
        live = ada.live()
        for kind in ["poll-open", "poll-reveal", "follow", "made-up"]:
            live.say(kind, text="x", choices=["a", "b"])
            live.until("refused", lambda message, kind=kind: message["of"] == kind)


def files():
    with Server(PROGRAM) as server:
        ada, bob = server.join("Ada"), server.join("Bob")
        check(ada.get("api/files").json == {"files": []}, "a new student has files")
        path = "work/%C3%A9t%C3%A9%201.cu"
        check(ada.put(path, b"one", 0).json == {"version": 1}, "a new file")
        got = ada.get("api/files/" + path)
        check(got.body == b"one" and got.headers["ETag"] == '"1"', f"reading it: {got}")
        check(ada.put(path, b"two", 1).json == {"version": 2}, "the next version")
        check(ada.put(path, b"two", 1).json == {"version": 2}, "the same sent again is no conflict")
        conflict = ada.put(path, b"other", 1)
        check(conflict.status == 409 and conflict.body == b"two" and conflict.headers["ETag"] == '"2"',
              f"a conflict: {conflict}")
        kept = conflict.headers["X-Kept-As"]
        check(ada.get(f"api/versions/{path}?version={kept}").body == b"other", "the text of a conflict is kept")
        check(ada.put(path, b"third", 0).status == 409, "a new file over one that is there")
        check(ada.put(path, b"merged", 2).status == 200, "after a conflict, on top of the server's")
        versions = ada.get("api/versions/" + path).json["versions"]
        check({version["kept"] for version in versions} >= {"conflict"}, f"versions: {versions}")
        check(ada.request("DELETE", "api/files/" + path, None, {"If-Match": '"1"'}).status == 409, "a stale deletion")
        version = ada.get("api/files").json["files"][0]["version"]
        check(ada.request("DELETE", "api/files/" + path, None, {"If-Match": f'"{version}"'}).status == 200, "deletion")
        check(ada.get("api/files/" + path).status == 404, "it is gone")
        texts = {ada.get(f"api/versions/{path}?version={one['version']}").body
                 for one in ada.get("api/versions/" + path).json["versions"]}
        check({b"other", b"third", b"merged"} <= texts, f"nothing is lost: {texts}")
        check(ada.put(path, b"back", 0).json["version"] > version, "versions go on after a deletion")
        check(bob.get("api/files/" + path).status == 404, "another student's file")
        check(bob.get("api/files").json == {"files": []}, "another student's list")
        data = bytes(range(256)) * 4000
        check(ada.put("bin", data, 0).status == 200 and ada.get("api/files/bin").body == data, "any bytes")
        server.again()
        check(ada.get("api/files/bin").body == data and ada.get("api/files/" + path).body == b"back",
              "files after the server was killed")


def compiling():
    with Server(PROGRAM, "--compilers", "2") as server:
        ada, bob = server.join("Ada"), server.join("Bob")
        ptx = compiled(ada.compile(KERNEL % 1))
        check(".entry" in ptx, "no PTX")
        before = ada.get("api/health").json
        check(compiled(bob.compile(KERNEL % 1)) == ptx, "the same source, another PTX")
        after = ada.get("api/health").json
        check(after["from_cache"] == before["from_cache"] + 1, f"compiled twice: {before}, {after}")
        check(compiled(ada.compile("__global__ void k() { return 1; }")) is None, "an error is no PTX")
        check(compiled(ada.request("POST", "api/compile", b"nonsense")) is None, "nonsense is no PTX")
        wholes = bob.compile("int main() { k<<<1, 1>>>(); }\n__global__ void k() {}\n", whole_program=True)
        check(".entry" in compiled(wholes), "a whole program")
        # Sixty students at once, each another source.
        answers, threads = {}, []
        people = [server.join(f"Student {n}") for n in range(60)]
        for n, person in enumerate(people):
            def ask(n=n, person=person):
                answers[n] = person.compile(KERNEL % (1000 + n))
            threads.append(threading.Thread(target=ask))
            threads[-1].start()
        for thread in threads:
            thread.join()
        for n, answer in answers.items():
            check(str(1000 + n) in compiled(answer) or ".entry" in compiled(answer), f"student {n}: {answer}")


def voting():
    with Server(PROGRAM) as server:
        lecturer = server.lecturer().live("lecturer")
        ada, bob = server.join("Ada"), server.join("Bob")
        a, b = ada.live(), bob.live()
        check(a.welcome["name"] == "Ada" and a.welcome["poll"] is None, f"welcome: {a.welcome}")
        lecturer.say("poll-open", text="How many?", choices=["1", "2", "3"], answer=1, explanation="because",
                     lab="coalescing", step="stride")
        poll = a.until("poll", lambda poll: poll["state"] == "open")
        check("answer" not in poll and "explanation" not in poll and "counts" not in poll, f"a hint: {poll}")
        for wrong in [{"choice": 3}, {"choice": -1}, {"choice": 0.5}, {"choice": "0"}, {"number": 1}, {},
                      {"choice": 1, "poll": poll["id"] + 1}, {"choice": 1, "round": 2}]:
            a.say("vote", **{"poll": poll["id"], "round": 1, **wrong})
            a.until("refused", lambda message: message["of"] == "vote")
        a.say("vote", poll=poll["id"], round=1, choice=0)
        a.until("poll", lambda poll: poll.get("mine") == 0)
        phone = Person(server)
        phone.post("api/join", {"key": ada.key})
        second = phone.live()
        check(second.welcome["poll"]["mine"] == 0, f"a second device: {second.welcome}")
        second.say("vote", poll=poll["id"], round=1, choice=2)
        a.until("poll", lambda poll: poll.get("mine") == 2)
        b.say("vote", poll=poll["id"], round=1, choice=1)
        b.until("poll", lambda poll: poll.get("mine") == 1)
        lecturer.until("poll", lambda poll: poll.get("counts") == [0, 1, 1])

        # A second lecturer sees the same; what one has done is not done twice.
        other = server.lecturer().live("lecturer")
        lecturer.say("poll-close", poll=poll["id"], round=1)
        other.until("poll", lambda poll: poll["state"] == "closed")
        other.say("poll-close", poll=poll["id"], round=1)
        b.until("poll", lambda poll: poll["state"] == "closed")
        b.say("vote", poll=poll["id"], round=1, choice=0)
        b.until("refused")
        lecturer.say("poll-again", poll=poll["id"], round=1)
        b.until("poll", lambda poll: poll["round"] == 2 and "mine" not in poll)
        other.say("poll-reveal", poll=poll["id"], round=1)
        other.until("refused")
        b.say("vote", poll=poll["id"], round=2, choice=1)
        b.until("poll", lambda poll: poll.get("mine") == 1)
        lecturer.say("poll-reveal", poll=poll["id"], round=2)
        shown = a.until("poll", lambda poll: poll["state"] == "revealed")
        check(shown["answer"] == 1 and shown["counts"] == [0, 1, 0] and shown["earlier"] == [[0, 1, 1]],
              f"revealed: {shown}")
        lecturer.say("poll-open", text="GB/s?", number={"unit": "GB/s", "unit_one": "GB per s"}, answer=900.5, tolerance=1)
        number = a.until("poll", lambda poll: poll["id"] != shown["id"])
        check(number["number"] == {"unit": "GB/s", "unit_one": "GB per s"}, f"its unit: {number}")
        a.say("vote", poll=number["id"], round=1, number=900.5)
        b.say("vote", poll=number["id"], round=1, number=-1e3)
        lecturer.until("poll", lambda poll: poll.get("counts") == [{"value": -1000, "count": 1},
                                                                   {"value": 900.5, "count": 1}])
        lecturer.say("poll-end", poll=number["id"], round=1)
        a.until("poll", lambda poll: poll["state"] == "none")


def killed_while_voting():
    with Server(PROGRAM) as server:
        lecturer = server.lecturer()
        desk = lecturer.live("lecturer")
        people = [server.join(f"Student {n}") for n in range(30)]
        desk.say("poll-open", text="?", choices=["a", "b"])
        lives = [person.live() for person in people]
        poll = lives[0].until("poll", lambda poll: poll["state"] == "open")
        confirmed = []

        def vote(n):
            try:
                lives[n].say("vote", poll=poll["id"], round=1, choice=n % 2)
                lives[n].until("poll", lambda poll: "mine" in poll)
                confirmed.append(n)
            except (OSError, ConnectionError):
                pass
        threads = [threading.Thread(target=vote, args=(n,)) for n in range(30)]
        for thread in threads:
            thread.start()
        eventually(lambda: len(confirmed) >= 5, "some votes are confirmed")
        os.killpg(server.process.pid, signal.SIGKILL)
        for thread in threads:
            thread.join()
        server.process.wait()
        server.start()
        for n in confirmed:
            check(people[n].live().welcome["poll"]["mine"] == n % 2, f"vote {n} was confirmed and is lost")
        for n in set(range(30)) - set(confirmed):
            live = people[n].live()
            live.say("vote", poll=poll["id"], round=1, choice=n % 2)
            live.until("poll", lambda poll: "mine" in poll)
        desk = lecturer.live("lecturer")
        desk.until("poll", lambda poll: poll.get("counts") == [15, 15])


def board_and_results():
    with Server(PROGRAM) as server:
        lecturer, ada = server.lecturer(), server.join("=HYPERLINK(1)")
        labs = lecturer.get("api/labs").json["labs"]
        lab, step = next((lab, step) for lab in labs for step in lab["steps"] if step["exercise"])
        checks = [one["id"] for one in step["checks"]]
        desk, live = lecturer.live("lecturer"), ada.live("lab")
        live.say("at", lab="no-such-lab", step="<b>", passed=["x"], failing=None)
        live.say("at", lab=lab["id"], step=step["id"], passed=checks[:1], failing=checks[1], of=len(checks))
        board = desk.until("board", lambda board: board["steps"])
        (row,) = board["steps"]
        check(row["here"] == 1 and row["passed"] == 0 and row["failing"][0]["check"] == checks[1], f"board: {board}")
        check("=HYPER" not in json.dumps(board), "the board names people")
        live.say("at", lab=lab["id"], step=step["id"], passed=checks, failing=None, of=len(checks))
        desk.until("board", lambda board: board["steps"][0]["passed"] == 1)
        row = desk.until("students", lambda message: message["students"][0].get("passed") == len(checks))
        check(row["students"][0]["attempts"] == 2, f"students: {row}")
        live.say("at", lab=lab["id"], step=step["id"], passed=[], failing=checks[0], of=len(checks))
        desk.until("students", lambda message: message["students"][0]["attempts"] == 3)
        live.close()
        desk.until("board", lambda board: board["online"] == 0)
        for _ in range(2):
            answer = lecturer.get("api/class.csv")
            rows = list(csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"))))
            check(rows[0]["name"] == "'=HYPERLINK(1)", f"a formula for the spreadsheet: {rows}")
            check(rows[0]["passed"] == "yes" and rows[0]["attempts"] == "3", f"a passed step stays passed: {rows}")
            server.again()


def following():
    with Server(PROGRAM) as server:
        lecturer, ada = server.lecturer(), server.join("Ada")
        desk, live = lecturer.live("lecturer"), ada.live("lab")
        check(live.welcome["follow"]["on"] is False, "nobody leads yet")
        desk.say("follow", on=True, lab="coalescing", step="stride", source="// é\n" + "x" * 60_000)
        live.until("follow", lambda message: message["on"] and message["source"].startswith("// é"))
        check(server.join("Late").live().welcome["follow"]["on"], "who comes later follows too")
        server.again()
        check(ada.live().welcome["follow"]["step"] == "stride", "after the server was killed")
        desk = lecturer.live("lecturer")
        desk.say("follow", on=True)
        desk.until("refused")
        desk.say("follow", on=False)
        check(desk.until("follow", lambda message: not message["on"]), "the end")


def one_user():
    with Server(PROGRAM, "--one-user", "--host", "hub.example") as server:
        me = Person(server)
        check(me.get("api/me").json["one_user"], "api/me")
        check(me.put("x", b"1", 0).status == 200 and ".entry" in compiled(me.compile(KERNEL % 1)), "files and compiling")
        check(me.get("").status == 302, "the start page is the lab")
        check(me.get("api/me", Host="hub.example").status == 200, "a host that was named")
        for host in ["evil.example", "127.0.0.1.evil.example", f"evil.example:{server.port}"]:
            check(me.get("api/me", Host=host).status == 421, f"DNS rebinding: {host}")
    outside = Server(PROGRAM, "--one-user", "--address", "0.0.0.0").start(wait=False)
    check(outside.process.wait(60) == 2 and "--one-user" in outside.log(), "--one-user for everybody")


def compile_only():
    with Server(PROGRAM, "--compile-only") as server:
        proxy = Person(server)
        check(".entry" in compiled(proxy.compile(KERNEL % 1)), "no PTX")
        for method, path in [("GET", ""), ("GET", "api/me"), ("POST", "api/join"), ("GET", "api/files"),
                             ("GET", "web/join.js"), ("GET", "lab/")]:
            check(proxy.request(method, path, b"").status == 404, f"{path} on a compile server")
        check(not os.path.exists(os.path.join(server.folder, "data")), "a compile server keeps something")
        try:
            proxy.cookie = "x"
            proxy.live()
            raise Failure("a socket on a compile server")
        except Refused:
            pass


def starting_and_ending():
    with Server(PROGRAM, "--class", "First", "--code", "Ab-Cd") as server:
        ada = server.join("Ada")
        second = Server(PROGRAM, data=server.folder).start(wait=False)
        check(second.process.wait(60) == 3 or second.process.returncode == 2, "two servers, one folder")
        check("another warpshop serve" in second.log(), "two servers, one folder: " + second.log())
        taken = Server(PROGRAM)
        taken.port = server.port
        taken.start(wait=False)
        check(taken.process.wait(60) == 2 and "--port" in taken.log(), "two servers, one port: " + taken.log())
        code, token = server.code, server.token
        os.kill(server.process.pid, signal.SIGTERM)
        check(server.process.wait(60) == 0 and "Ended" in server.said(), f"SIGTERM: {server.said()}")
        server.command = [word for word in server.command if word not in ("--class", "First", "--code", "Ab-Cd")]
        server.start()
        check((server.code, server.token) == (code, token) == ("abcd", token), "code and token are kept")
        check(ada.get("api/me").json["class"] == "First", "the class is kept")
        os.kill(server.process.pid, signal.SIGINT)
        check(server.process.wait(60) == 0, "Ctrl-C")
    for options in [["--address", "here"], ["--code", "a"], ["--worker", "'"], ["--one-user", "--compile-only"],
                    ["--data", "/proc/no/such"], ["--port", "99999"]]:
        wrong = Server(PROGRAM)
        wrong.command += options
        wrong.start(wait=False)
        check(wrong.process.wait(60) in (2, 3) and wrong.log(), f"{options}: {wrong.process.returncode} {wrong.log()}")


def backing_up():
    """docs/serving.md: a copy made while the server runs is a whole class."""
    with Server(PROGRAM, "--class", "GPU 101") as server, tempfile.TemporaryDirectory() as other:
        ada = server.join("Ada")
        check(ada.put("work/a.cu", b"text", 0).status == 200, "a file")
        os.mkdir(os.path.join(other, "data"), 0o700)
        with contextlib.closing(sqlite3.connect(os.path.join(server.folder, "data", "class.sqlite"))) as database:
            with contextlib.closing(sqlite3.connect(os.path.join(other, "data", "class.sqlite"))) as copy:
                database.backup(copy)  # as the shell's .backup does
        check(ada.put("work/a.cu", b"later", 1).status == 200, "the server goes on")
        with Server(PROGRAM, data=other) as copied:
            check((copied.code, copied.token) == (server.code, server.token), "another code or token")
            key = Person(copied)
            check(key.post("api/join", {"key": ada.key}).status == 200, "Ada's key")
            check(key.get("api/files/work/a.cu").body == b"text", "Ada's file")
            check(key.get("api/me").json["class"] == "GPU 101", "the class's name")


if __name__ == "__main__":
    tests = [joining, rights, files, backing_up, compiling, voting, killed_while_voting, board_and_results, following,
             one_user, compile_only, starting_and_ending]
    sys.exit(run_tests([test for test in tests if len(sys.argv) < 3 or test.__name__ in sys.argv[2:]]))
