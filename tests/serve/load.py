#!/usr/bin/env python3
"""A class at work, to measure `warpshop serve`: students who type the labs' solutions, each at its own pace.

    load.py WARPSHOP [--students 300] [--every 10] [--seconds 60] [--compilers 2] [--server-cores 0,1]
            [--labs tiling,scans]

Each student works through the exercises in an order of its own and types each solution piece by piece; an editor
closes braces at the end of a line, so about half of all texts compile. Every edit is kept on the server, compiled, and
told to the board, as a browser does. No two texts are equal but the skeletons with which all begin.

Prints the answers' times, errors, and memory in the course of time. With --server-cores the server has only
these processor cores and the students have the others; then it prints as well how busy the server's cores are.
"""
import argparse
import asyncio
import collections
import os
import pathlib
import random
import re
import time

from client import Server, compile_request

LABS = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = 1 << 20  # memory is printed in MiB


class Exercise:
    """A marked solution: what is before, what the student writes, what is behind."""

    def __init__(self, lab, text):
        self.lab = lab
        before, _, rest = text.partition("//! begin\n")
        own, _, rest = rest.partition("//! instead\n")
        skeleton, _, after = rest.partition("//! end")
        clean = re.compile(r"^ *//! ?(begin|instead|end)\n?|^( *)//! ?", re.MULTILINE)
        self.before, self.own, self.after = before.rstrip(" "), own, clean.sub(r"\2", after.partition("\n")[2])
        self.skeleton = clean.sub(r"\2", skeleton)

    def texts(self, order):
        """The texts of one student who types it: the skeleton, then more and more of the solution."""
        yield self.before + self.skeleton + self.after
        at = 0
        while at < len(self.own):
            at += order.randint(20, 90)  # what one types in ten seconds
            typed = self.own[:at]
            if order.random() < 0.6:
                typed += self.own[at:].partition("\n")[0]  # to the end of the line
                at = len(typed)
                typed += "\n" + "}" * max(0, typed.count("{") - typed.count("}"))
            yield self.before + typed + "\n" + self.after


def exercises(labs):
    found = []
    for lab in sorted((LABS / "solutions").iterdir()):
        if labs and lab.name not in labs:
            continue
        for file in sorted(lab.glob("*.cu")):
            text = file.read_text(encoding="utf-8")
            if text.count("//! begin\n") == 1:
                found.append(Exercise(lab.name, text))
    return found


def children_of(pid):
    """All processes that this one has started, and theirs."""
    parents = collections.defaultdict(list)
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as stat:
                    parents[int(stat.read().rsplit(")", 1)[1].split()[1])].append(int(name))
            except OSError:
                pass  # it has ended
    found, new = [], [pid]
    while new:
        new = [child for parent in new for child in parents[parent]]
        found += new
    return found


def share_of(pid):
    """Bytes of memory that a process has, its part of what it shares with others."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as maps:
            return sum(int(line.split()[1]) for line in maps if line.startswith("Pss:")) * 1024
    except OSError:
        return 0


def busy_of(cores):
    """Seconds for which these cores have worked."""
    with open("/proc/stat", encoding="ascii") as stat:
        lines = [line.split() for line in stat if re.match(r"cpu\d", line)]
    ticks = sum(sum(map(int, line[1:4] + line[6:9])) for line in lines if int(line[0][3:]) in cores)
    return ticks / os.sysconf("SC_CLK_TCK")


async def ask(port, cookie, method, path, body, headers=""):
    """The status and body of an answer, and how long it took; 0: no answer."""
    begin = time.monotonic()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{method} /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nCookie: {cookie}\r\n"
                     f"{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.read(-1)
        writer.close()
        status = int(answer.split(b" ", 2)[1])
    except (OSError, IndexError):
        return 0, b"", time.monotonic() - begin
    return status, answer.partition(b"\r\n\r\n")[2], time.monotonic() - begin


class Results:
    def __init__(self):
        self.compiled, self.kept, self.statuses = [], [], collections.Counter()
        self.with_code = 0
        self.slowest = (0, "")


async def student(number, person, live, every, end, todo, results):
    order = random.Random(number)
    todo = list(todo)
    order.shuffle(todo)
    port = person.server.port
    await asyncio.sleep(order.uniform(0, every))
    for exercise in todo * 100:
        for edit, text in enumerate(exercise.texts(order)):
            begin = time.monotonic()
            if begin >= end:
                return
            if edit > 0:
                text += f"// student {number}\n"
            live.say("at", lab=exercise.lab, step="", mode="edit", source=text[:8000])
            path = f"api/files/{exercise.lab}.cu"
            status, _, took = await ask(port, person.cookie, "PUT", path, text.encode())
            results.statuses["kept", status] += 1
            results.kept.append(took)
            status, body, took = await ask(port, person.cookie, "POST", "api/compile",
                                           compile_request(text, name=f"{exercise.lab}.cu"))
            results.statuses["compiled", status] += 1
            if status == 200:
                results.compiled.append(took)
                results.with_code += body[len(b"warpshop compiled 1\n")]
                results.slowest = max(results.slowest, (took, exercise.lab))
            await asyncio.sleep(max(0.0, begin + every - time.monotonic()))


async def watch(server, begin, end, every, cores):
    """Prints memory and load of the server until the lesson ends."""
    busy, at = busy_of(cores), time.monotonic()
    while time.monotonic() < end:
        await asyncio.sleep(min(every, max(0.1, end - time.monotonic())))
        pids = children_of(server.process.pid)
        now, used = time.monotonic(), busy_of(cores)
        load = f", {(used - busy) / (now - at):.2f} cores busy" if cores else ""
        print(f"  {now - begin:4.0f} s: server {server.memory() / PAGES:.1f} MiB, its {len(pids)} processes "
              f"{sum(map(share_of, pids)) / PAGES:.0f} MiB{load}", flush=True)
        busy, at = used, now


async def lesson(server, people, lives, options, cores):
    results = Results()
    todo = exercises(options.labs)
    begin = time.monotonic()
    end = begin + options.seconds
    await asyncio.gather(watch(server, begin, end, options.seconds / 8, cores),
                         *[student(n, person, live, options.every, end, todo, results)
                           for n, (person, live) in enumerate(zip(people, lives))])
    return results


def percentiles(seconds):
    ordered = sorted(seconds) or [0]
    return ", ".join(f"{part}% within {1000 * ordered[min(len(ordered) - 1, len(ordered) * part // 100)]:.0f} ms"
                     for part in (50, 95, 99)) + f", the slowest {1000 * ordered[-1]:.0f} ms"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--labs", type=lambda text: text.split(","), help="only these, with commas between them")
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--every", type=float, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--compilers", type=int, default=2)
    parser.add_argument("--server-cores", default="")
    options = parser.parse_args()
    cores = {int(core) for core in options.server_cores.split(",") if core}
    prefix = ["taskset", "-c", options.server_cores] if cores else []
    if cores:
        os.sched_setaffinity(0, os.sched_getaffinity(0) - cores)
    with Server(options.program, "--compilers", str(options.compilers), prefix=prefix) as server:
        people = [server.join(f"Student {n}") for n in range(options.students)]
        lives = [person.live("lab") for person in people]
        asyncio.run(ask(server.port, people[0].cookie, "POST", "api/compile", compile_request("__global__ void k() {}")))
        begin, busy = time.monotonic(), busy_of(cores)
        results = asyncio.run(lesson(server, people, lives, options, cores))
        seconds = time.monotonic() - begin
        health = people[0].get("api/health").json
        count = len(results.compiled)
        print(f"{options.students} students, {count} compilations in {seconds:.0f} s ({count / seconds:.1f} per second), "
              f"{health['from_cache']} from the cache, {100 * results.with_code / max(1, count):.0f}% of the texts "
              f"without errors")
        print("  compiled: " + percentiles(results.compiled) + f" ({results.slowest[1]})")
        print("  kept:     " + percentiles(results.kept))
        if cores:
            busy = busy_of(cores) - busy
            print(f"  {busy / seconds:.2f} of {len(cores)} cores busy, "
                  f"{1000 * busy / max(1, count - health['from_cache']):.0f} ms for each text that was compiled")
        print("  answers:  " + ", ".join(f"{kind} {status}: {number}"
                                         for (kind, status), number in sorted(results.statuses.items())))


if __name__ == "__main__":
    main()
