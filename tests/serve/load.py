#!/usr/bin/env python3
"""A class at work, to measure `warpshop serve`: students who edit, and sockets that listen.

    load.py WARPSHOP [--students 300] [--every 10] [--seconds 60] [--compilers 2]

Each student compiles a source of its own every so many seconds, in an order that is the same every time; the
first edit of all is the same skeleton. Prints the answers' times, the processor time per edit, and the memory
of server and compilers at the beginning and at the end.
"""
import argparse
import asyncio
import os
import random
import subprocess
import time

from client import Server, compile_request

# As long as a lab's: shared memory, loops, a launch function.
KERNEL = """__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8)
    if (x < n && y + row < n) tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8)
    if (tx < n && ty + row < n) out[(ty + row) * n + tx] = tile[threadIdx.x][threadIdx.y + row] * %d.0f;
}
"""


def cpu_of(pid):
    """Processor seconds of a process and of its children, ended ones as well."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def children_of(pid):
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(child) for child in found.stdout.split()]


def memory_of(pid):
    """What a process has for itself alone: bytes."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as maps:
        return sum(int(line.split()[1]) for line in maps if line.startswith("Private_")) * 1024


async def compile_once(port, cookie, body):
    begin = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"POST /api/compile HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: {cookie}\r\n"
                 f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.read(-1)
    writer.close()
    return int(answer.split(b" ", 2)[1]), time.monotonic() - begin


async def student(number, cookie, port, options, end, results):
    order = random.Random(number)
    await asyncio.sleep(order.uniform(0, options.every))
    edit = 0
    while time.monotonic() < end:
        begin = time.monotonic()
        body = compile_request(KERNEL % (1 if edit == 0 else 1 + number * 1000 + edit), name="transpose.cu")
        results.append(await compile_once(port, cookie, body))
        edit += 1
        await asyncio.sleep(max(0, begin + options.every - time.monotonic()))


async def lesson(server, people, options):
    results = []
    end = time.monotonic() + options.seconds
    await asyncio.gather(*[student(n, person.cookie, server.port, options, end, results)
                           for n, person in enumerate(people)])
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--every", type=float, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--compilers", type=int, default=2)
    options = parser.parse_args()
    with Server(options.program, "--compilers", str(options.compilers)) as server:
        people = [server.join(f"Student {n}") for n in range(options.students)]
        lives = [person.live("lab") for person in people]
        pid = server.process.pid
        asyncio.run(compile_once(server.port, people[0].cookie, compile_request("__global__ void k() {}")))
        before_memory = server.memory(), [memory_of(child) for child in children_of(pid)]
        # Ended forks count for their parents, the compilers.
        before_cpu = cpu_of(pid) + sum(cpu_of(child) for child in children_of(pid))
        begin = time.monotonic()
        results = asyncio.run(lesson(server, people, options))
        seconds = time.monotonic() - begin
        cpu = cpu_of(pid) + sum(cpu_of(child) for child in children_of(pid)) - before_cpu
        after_memory = server.memory(), [memory_of(child) for child in children_of(pid)]
        times = sorted(took for status, took in results if status == 200)
        health = people[0].get("api/health").json
        print(f"{len(results)} edits in {seconds:.0f} s ({len(results) / seconds:.1f} per second), "
              f"{len(results) - len(times)} refused, {health['from_cache']} from the cache")
        for part in (50, 95, 99):
            print(f"  {part}% within {1000 * times[min(len(times) - 1, len(times) * part // 100)]:.0f} ms")
        print(f"  {1000 * cpu / max(1, len(times)):.0f} ms of processor time per edit, {cpu / seconds:.2f} cores busy")
        print(f"  memory of the server {before_memory[0] >> 20} → {after_memory[0] >> 20} MiB, of the compilers "
              f"{[size >> 20 for size in before_memory[1]]} → {[size >> 20 for size in after_memory[1]]} MiB")
        print(f"  {len(lives)} live sockets, load of the machine {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
