#!/usr/bin/env python3
"""The class's GPU: jobs of several students over sockets, before workers whose GPU is the emulator.

    gpu_test.py WARPSHOP FAKE_GPU_WORKER
"""
import base64
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

from client import Failure, Person, Refused, Server, WebSocket, check, eventually, run_tests

PROGRAM, WORKER = sys.argv[1:3]
SCALE = 'extern "C" __global__ void k(float* out, float by) { out[threadIdx.x] = threadIdx.x * by; }\n'


def job(number, source=SCALE, **more):
    dim = {"x": 1, "y": 1, "z": 1}
    kernel = {"source": source, "file": "student.cu", "entry": "k", "options": [], "include_dirs": [], "trailer": "",
              "prelude": True, "ptx": False, "whole_program": False, "grid": [1, 1, 1], "block": [32, 1, 1],
              "dynamic_shared": 0, "cooperative": False, **more.pop("kernel", {})}
    return {"type": "job", "id": number,
            "job": {"gpu": 0, "student": kernel, "tolerance": 0, "hashes": False, "bytes": True, "time": False,
                    "launches": 1, "time_limit_s": 5, "counters": False, "describe": False,
                    "args": [{"buffer": 128, "name": "out", "element": "f32", "output": True, "fill": "none"},
                             {"scalar": base64.b64encode(struct.pack("<f", 2.0)).decode()}], **more}}


def script(text):
    """A program of this text."""
    path = os.path.join(tempfile.mkdtemp(prefix="warpshop-worker-"), "worker")
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + text + "\n")
    os.chmod(path, 0o700)
    return path


class Gpu(WebSocket):
    def __init__(self, person):
        super().__init__(person.server.port, "/api/gpu", {"Cookie": person.cookie})
        self.hello = json.loads(self.text())
        check(self.hello["type"] == "hello", f"no hello: {self.hello}")

    def ask(self, message):
        self.send(json.dumps(message) + "\n")

    def until(self, *kinds):
        while True:
            message = json.loads(self.text())
            if message["type"] in kinds:
                return message


def jobs():
    with Server(PROGRAM, "--worker", WORKER) as server:
        ada = server.join("Ada")
        check(ada.get("api/me").json["gpu"], "api/me knows no GPU")
        gpu = Gpu(ada)
        check(gpu.hello["gpus"], f"hello: {gpu.hello}")
        gpu.ask(job(7))
        answer = gpu.until("result", "error")
        check(answer["type"] == "result" and answer["id"] == 7, f"a job: {answer}")
        values = struct.unpack("<32f", base64.b64decode(answer["result"]["bytes"][0]))
        check(values == tuple(2.0 * n for n in range(32)), f"its result: {values}")
        gpu.ask(job(8, source="__global__ void k() { error }"))
        answer = gpu.until("result", "error")
        check(answer["type"] == "error" and answer["id"] == 8 and answer["errors"][0]["place"]["line"] == 1 if
              "place" in answer["errors"][0] else answer["type"] == "error", f"an error: {answer}")
        for wrong in [job(9, kernel={"options": ["--include-path=/etc"]}),
                      job(10, args=[{"buffer": 5 << 30, "name": "b", "element": "u8", "output": False, "fill": "zero"}])]:
            gpu.ask(wrong)
            answer = gpu.until("result", "error")
            check(answer["type"] == "error" and answer["id"] == wrong["id"], f"not refused: {answer}")
        # Whatever time a job asks for, it gets ten seconds.
        gpu.ask(job(11, source=SCALE.replace("{ out", "{ while (*(volatile float*)out >= 0) {} out"), time_limit_s=600))
        answer = gpu.until("result", "error")
        check(answer["type"] == "error" and "10 s" in json.dumps(answer), f"a job without end: {answer}")
        gpu.send("nonsense")
        check(gpu.until("result", "error")["id"] == 0, "nonsense")
        try:
            Gpu(Person(server))
            raise Failure("a stranger's jobs")
        except (Refused, TypeError):
            pass


def turns():
    """Ada's four jobs do not hold up Bob's one."""
    with Server(PROGRAM, "--worker", WORKER) as server:
        desk_person = server.lecturer()
        ada, bob, lecturer = Gpu(server.join("Ada")), Gpu(server.join("Bob")), Gpu(desk_person)
        desk = desk_person.live("lecturer")
        desk.until("gpu")
        slow = SCALE.replace("{ out", "{ for (int n = 0; n < 300000; ++n) out[threadIdx.x] += n; out")
        for n in range(4):
            ada.ask(job(n, source=slow + f"// {n}\n"))
        place = ada.until("queue")
        check(place["place"] >= 1, f"the place in the queue: {place}")
        for n in range(4, 7):
            ada.ask(job(n, source=slow))
        refused = ada.until("error")
        check(refused["id"] >= 4, f"a fifth job waits: {refused}")
        bob.ask(job(1))
        lecturer.ask(job(1))

        def all_three(message):
            return len({one.get("name") for one in message["queue"]}) == 3
        queue = desk.until("gpu", all_three)
        check(queue["workers"] == 1, f"the queue: {queue}")
        check([one.get("name") for one in queue["queue"] if one["mine"]] == [None], f"a lecturer's job: {queue}")
        results = []  # of both, in the order of their arrival

        def listen(name, gpu, count):
            for _ in range(count):
                results.append((name, gpu.until("result")["id"]))
        listeners = [threading.Thread(target=listen, args=args) for args in [("Ada", ada, 4), ("Bob", bob, 1)]]
        for listener in listeners:
            listener.start()
        for listener in listeners:
            listener.join()
        check(results.index(("Bob", 1)) <= 2, f"Bob waited for all of Ada's jobs: {results}")


def a_worker_that_dies():
    with Server(PROGRAM, "--worker", WORKER) as server:
        ada = Gpu(server.join("Ada"))
        ada.ask(job(1))
        ada.until("result")

        def workers():
            found = subprocess.run(["pgrep", "-P", str(server.process.pid), "-f", "fake_gpu_worker"], capture_output=True,
                                   text=True)
            return [int(pid) for pid in found.stdout.split()]
        for pid in workers():
            os.kill(pid, signal.SIGKILL)
        ada.ask(job(2))
        answer = ada.until("result", "error")
        check(answer["type"] == "result", f"after its worker was killed: {answer}")
        # One that leaves takes its job along; the next one's runs.
        endless = SCALE.replace("{ out", "{ while (*(volatile float*)out >= 0) {} out")
        bob = Gpu(server.join("Bob"))
        bob.ask(job(3, source=endless, time_limit_s=5))
        bob.until("stage", "queue")
        bob.close()
        ada.ask(job(4))
        check(ada.until("result", "error")["type"] == "result", "after a student has left in the middle of a job")


def many_sockets_and_a_removed_student():
    with Server(PROGRAM, "--worker", WORKER) as server:
        ada, bob, desk = server.join("Ada"), server.join("Bob"), server.lecturer()
        sockets = [Gpu(ada) for _ in range(4)]
        fifth = WebSocket(server.port, "/api/gpu", {"Cookie": ada.cookie})
        check(fifth.close_code() == 1008, "a fifth socket of one student")
        sockets.pop().close()
        eventually(lambda: WebSocket(server.port, "/api/gpu", {"Cookie": ada.cookie}).frame()[0] == 1, "room again")
        check(desk.post("api/remove", {"student": ada.id}).status == 200, "removing")
        check([gpu.close_code() for gpu in sockets] == [1008] * 3, "a removed student keeps the GPU")
        gpu = Gpu(bob)
        gpu.ask(job(1))
        check(gpu.until("result", "error")["type"] == "result", "others keep it")


def no_worker():
    with Server(PROGRAM) as server:
        ada = server.join("Ada")
        check(not ada.get("api/me").json["gpu"], "there is a GPU")
        try:
            Gpu(ada)
            raise Failure("a socket without a worker")
        except Refused as refused:
            check("404" in str(refused), str(refused))
    with Server(PROGRAM, "--worker", "false") as server:
        check(server.join("Ada").get("api/me").status == 200, "a worker that cannot start")
        eventually(lambda: "worker cannot be used" in server.log(), "it is told")
        os.kill(server.process.pid, signal.SIGTERM)
        check(server.process.wait(60) == 0, "ending while a worker is waited for")


def a_worker_without_a_gpu():
    """It answers, but has no GPU: the lecturer sees why, and nobody waits."""
    hello = json.dumps({"type": "hello", "protocol": 4, "version": "0", "host": "h", "driver": "", "nvrtc": "13.0",
                        "gpus": [], "problems": [{"severity": "error", "kind": "gpu-none", "message": "no driver on h"}]})
    with Server(PROGRAM, "--worker", script(f"cat <<'END'\n{hello}\nEND\ncat")) as server:
        desk = server.lecturer().live("lecturer")
        told = desk.until("gpu", lambda message: message.get("problem"))
        check(told["workers"] == 0 and told["of"] == 1 and "no driver on h" in told["problem"], f"the lecturer: {told}")
        ada = server.join("Ada")
        live = ada.live()
        seen = live.until("gpu")
        check("problem" not in seen, f"a student reads what a worker says: {seen}")
        gpu = Gpu(ada)
        check(not gpu.hello["gpus"] and "class's GPU cannot be used" in json.dumps(gpu.hello["problems"]) and
              "driver" not in json.dumps(gpu.hello["problems"]), f"hello: {gpu.hello}")
        check(gpu.close_code() == 1013, "the socket stays open")
        check("ready" not in server.log(), "it counts as ready: " + server.log())


def one_worker_of_two():
    """The one that fails takes no job, and no notice of one, from the other."""
    with Server(PROGRAM, "--worker", "false", "--worker", WORKER) as server:
        desk = server.lecturer().live("lecturer")
        told = desk.until("gpu", lambda message: message["workers"] == 1 and message.get("problem"))
        check(told["of"] == 2 and "false" in told["problem"], f"the lecturer: {told}")
        gpu = Gpu(server.join("Ada"))
        gpu.socket.settimeout(20)  # a failed worker is started again every 30 s
        for n in range(12):
            gpu.ask(job(n))
            check(gpu.until("result", "error")["type"] == "result", f"job {n}")


def the_only_worker_is_lost():
    """It cannot be started again: those who wait are told."""
    gone = tempfile.mkdtemp(prefix="warpshop-worker-") + "/gone"
    with Server(PROGRAM, "--worker", script(f"test ! -e {gone} && exec {WORKER}")) as server:
        ada, bob = Gpu(server.join("Ada")), Gpu(server.join("Bob"))
        ada.ask(job(1, source=SCALE.replace("{ out", "{ while (*(volatile float*)out >= 0) {} out")))
        ada.until("stage")
        bob.ask(job(2))
        bob.until("queue")
        with open(gone, "w", encoding="utf-8"):
            pass
        for gpu, number in [(ada, 1), (bob, 2)]:
            answer = gpu.until("result", "error")
            check(answer["type"] == "error" and answer["id"] == number, f"without a worker: {answer}")
        bob.ask(job(3))
        answer = bob.until("result", "error")
        check(answer["type"] == "error" and "cannot be used" in json.dumps(answer), f"a new job: {answer}")


def a_worker_that_is_waited_for():
    """One that a cluster has not started yet does not hold up the end."""
    with Server(PROGRAM, "--worker", "sleep 1000") as server:
        desk = server.lecturer().live("lecturer")
        told = desk.until("gpu")
        check(told["workers"] == 0 and told["of"] == 1 and "problem" not in told, f"a worker that starts: {told}")
        os.kill(server.process.pid, signal.SIGTERM)
        begin = time.monotonic()
        eventually(lambda: server.process.poll() is not None, "it ends")
        check(time.monotonic() - begin < 20, "it ends only when the worker has had its minute")


if __name__ == "__main__":
    tests = [jobs, turns, a_worker_that_dies, many_sockets_and_a_removed_student, no_worker, a_worker_without_a_gpu,
             one_worker_of_two, the_only_worker_is_lost, a_worker_that_is_waited_for]
    sys.exit(run_tests([test for test in tests if len(sys.argv) < 4 or test.__name__ in sys.argv[3:]]))
