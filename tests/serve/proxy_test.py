#!/usr/bin/env python3
"""docs/serve/nginx.conf as it stands, with other addresses: TLS, a path before everything, WebSockets, and
machines that only compile; and the shorter one of docs/class.md.

    proxy_test.py WARPSHOP

Skipped (77) without nginx or openssl.
"""
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile

from client import Failure, Person, Refused, Server, check, compile_request, compiled, eventually, run_tests

PROGRAM = sys.argv[1]
KERNEL = "__global__ void k(float* p) { p[threadIdx.x] = %d; }\n"
CONFIGURATION = os.path.join(os.path.dirname(__file__), "../../docs/serve/nginx.conf")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Nginx:
    """The documented configuration in front of these servers."""

    def __init__(self, klass, compilers):
        self.folder = tempfile.mkdtemp(prefix="warpshop-nginx-")
        self.port = free_port()
        self.tls = ssl.create_default_context()
        self.tls.check_hostname = False
        self.tls.verify_mode = ssl.CERT_NONE
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{self.folder}/key",
                        "-out", f"{self.folder}/pem", "-days", "2", "-subj", "/CN=class.example"],
                       check=True, capture_output=True)
        text = self.configuration()
        for old, new in [*self.addresses(klass, compilers),
                         ("127.0.0.1:8080", f"127.0.0.1:{klass.port}")]:
            check(old in text, f"the configuration has no {old}")
            text = text.replace(old, new)
        with open(f"{self.folder}/nginx.conf", "w", encoding="utf-8") as file:
            places = "".join(f"{name}_temp_path {self.folder}/{name};\n"
                             for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
            user = "user root;\n" if os.getuid() == 0 else ""
            file.write(f"daemon off;\n{user}pid {self.folder}/pid;\nerror_log {self.folder}/errors;\n"
                       f"events {{ worker_connections 512; }}\nhttp {{\naccess_log {self.folder}/access;\n{places}{text}\n}}\n")

    def configuration(self):
        with open(CONFIGURATION, encoding="utf-8") as file:
            return file.read()

    def addresses(self, _, compilers):
        return [("listen 443 ssl http2;", f"listen 127.0.0.1:{self.port} ssl http2;"),
                ("10.0.0.2:8081", f"127.0.0.1:{compilers[0].port}"),
                ("10.0.0.3:8081", f"127.0.0.1:{compilers[1].port}"),
                ("/etc/ssl/class.example.pem", f"{self.folder}/pem"),
                ("/etc/ssl/class.example.key", f"{self.folder}/key")]

    def __enter__(self):
        self.process = subprocess.Popen(["nginx", "-p", self.folder, "-c", f"{self.folder}/nginx.conf", "-e",
                                         f"{self.folder}/errors"])
        eventually(self.answers, "nginx starts")
        return self

    def answers(self):
        check(self.process.poll() is None, "nginx ended")
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def access(self):
        with open(f"{self.folder}/access", encoding="utf-8") as log:
            return log.read()


class OwnProxy(Nginx):
    """The configuration that a lecturer copies from docs/class.md."""

    def configuration(self):
        with open(os.path.join(os.path.dirname(CONFIGURATION), "../class.md"), encoding="utf-8") as file:
            return re.search(r"<<'END'\n(.*?)\n *END\n", file.read(), re.DOTALL)[1]

    def addresses(self, *_):
        return [("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
                ("/etc/ssl/certs/ssl-cert-snakeoil.pem", f"{self.folder}/pem"),
                ("/etc/ssl/private/ssl-cert-snakeoil.key", f"{self.folder}/key")]


def a_lecturers_own_proxy():
    with Server(PROGRAM, "--compilers", "1") as klass, OwnProxy(klass, []) as nginx:
        ada = Person(nginx)
        origin = {"Origin": f"https://127.0.0.1:{nginx.port}"}
        answer = ada.post("api/join", {"name": "Ada", "code": klass.code}, origin)
        check(answer.status == 200 and "Secure" in answer.headers["Set-Cookie"], f"joining: {answer}")
        check(ada.live(headers=origin).welcome["name"] == "Ada", "the live socket")
        check(ada.put("work/a.cu", b"x" * 1_000_000, 0).status == 200, "a large file")
        check(".entry" in compiled(ada.compile(KERNEL % 1)), "compiling")
        Person(nginx).post("api/join", {"name": "B", "code": "x"}, {"X-Forwarded-For": "6.6.6.6"})
        check("wrong join code from 127.0.0.1" in klass.log() and "6.6.6.6" not in klass.log(), klass.log())


def a_class_behind_nginx():
    with (Server(PROGRAM, "--compilers", "1") as klass, Server(PROGRAM, "--compile-only", "--compilers", "1") as one,
          Server(PROGRAM, "--compile-only", "--compilers", "1") as other, Nginx(klass, [one, other]) as nginx):
        ada = Person(nginx, "/gpu/")
        check(ada.get("").status in (200, 404) and ada.get("lab").headers["Location"] == "lab/", "pages below the path")
        answer = ada.post("api/join", {"name": "Ada", "code": klass.code}, {"Origin": f"https://127.0.0.1:{nginx.port}"})
        check(answer.status == 200, f"joining: {answer}")
        cookie = answer.headers["Set-Cookie"]
        check("Secure" in cookie and "HttpOnly" in cookie and "Path" not in cookie, f"the cookie: {cookie}")
        for header in ["Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy", "Content-Security-Policy"]:
            check(len(answer.headers.get_all(header)) == 1, f"{header} does not arrive once")
        live = ada.live(headers={"Origin": f"https://127.0.0.1:{nginx.port}"})
        check(live.welcome["name"] == "Ada", "the live socket")
        try:
            ada.live(headers={"Origin": "https://evil.example"})
            raise Failure("another page's socket")
        except Refused as refused:
            check("403" in str(refused), str(refused))
        check(ada.put("work/a.cu", b"x" * 900_000, 0).status == 200, "a large file")

        # Compiled by the others, in the name of Ada.
        for n in range(4):
            check(".entry" in compiled(ada.compile(KERNEL % n + " " * n)), f"compiling {n}")
        answered = [Person(server).get("api/health").json["answered"] for server in (klass, one, other)]
        check(answered[0] == 0 and answered[1] + answered[2] == 4, f"who has compiled: {answered}")
        origin = {"Origin": f"https://127.0.0.1:{nginx.port}"}  # an older browser, without Sec-Fetch-Site
        check(ada.request("POST", "api/compile", compile_request(KERNEL % 1), origin).status == 200, "from the page")
        check(ada.request("POST", "api/compile", compile_request(KERNEL % 1), {"Origin": "https://evil.example"}).status == 403,
              "from another page")
        stranger = Person(nginx, "/gpu/")
        check(stranger.compile(KERNEL % 9).status == 401, "a stranger compiles")
        check(stranger.request("POST", "api/compile", compile_request(KERNEL % 9), {"X-Warpshop-Student": "1"}).status == 401,
              "a stranger says who he is")
        check(stranger.get("who").status == 404, "the inner address is open")

        one.kill()
        for n in range(10, 14):
            check(".entry" in compiled(ada.compile(KERNEL % n + " " * n)), f"with one machine less: {n}")
        other.kill()
        check(".entry" in compiled(ada.compile(KERNEL % 20)), "with none left, the class itself compiles")
        klass.kill()
        check(ada.get("api/me").status == 502, "without the class")
        klass.start()
        eventually(lambda: ada.get("api/me").status == 200, "the class is back")
        check(ada.live().welcome["name"] == "Ada", "the live socket is back")


def addresses_through_nginx():
    """Each student's wrong codes count for the student's own address, which nobody can invent."""
    with (Server(PROGRAM, "--compilers", "1") as klass, Server(PROGRAM, "--compile-only", "--compilers", "1") as one,
          Nginx(klass, [one, one]) as nginx):
        person = Person(nginx, "/gpu/")
        person.post("api/join", {"name": "A", "code": "x"}, {"X-Forwarded-For": "6.6.6.6"})
        check("wrong join code from 127.0.0.1" in klass.log() and "6.6.6.6" not in klass.log(), klass.log())


if __name__ == "__main__":
    os.environ["PATH"] += ":/usr/sbin"
    for needed in ["nginx", "openssl"]:
        if not shutil.which(needed):
            print(f"skipped: there is no {needed}")
            sys.exit(77)
    sys.exit(run_tests([a_class_behind_nginx, addresses_through_nginx, a_lecturers_own_proxy]))
