"""A server to test and clients of it, with the standard library alone: HTTP, WebSockets (RFC 6455) and
requests to compile (app/compile/remote.cc).
"""
import base64
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds until something that must happen counts as not happening


class Failure(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Failure(what)


def eventually(condition, what):
    end = time.monotonic() + PATIENCE
    while True:
        value = condition()
        if value:
            return value
        check(time.monotonic() < end, f"never happened: {what}")
        time.sleep(0.05)


class Server:
    """`warpshop serve` in a folder of its own."""

    tls = None  # an ssl.SSLContext, of a proxy

    def __init__(self, program, *options, data=None, prefix=(), environment=None):
        self.folder = data or tempfile.mkdtemp(prefix="warpshop-serve-")
        self.command = [*prefix, program, "serve", "--data", os.path.join(self.folder, "data"), *options]
        self.environment = {**os.environ, **(environment or {})}
        self.port = 0
        self.process = None

    def start(self, wait=True):
        self.out = os.path.join(self.folder, "out")
        with open(self.out, "wb") as out, open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdout=out, stderr=log,
                                            stdin=subprocess.DEVNULL, start_new_session=True, env=self.environment)
        if not wait:
            return self
        eventually(lambda: "Ctrl-C" in self.said() or self.process.poll() is not None, "the server starts")
        check(self.process.poll() is None, "the server ended: " + self.said() + self.log())
        self.port = int(re.search(r"http://\S+:(\d+)/", self.said())[1])
        code = re.search(r"join code +(\S+)", self.said())
        self.code = code and code[1]
        token = re.search(r"token +(\S+)", self.said())
        self.token = token and token[1]
        return self

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()

    def said(self):
        with open(self.out, encoding="utf-8") as out:
            return out.read()

    def log(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8") as log:
            return log.read()

    def kill(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def again(self):
        """Killed as by a power cut, and started again."""
        self.kill()
        return self.start()

    def memory(self):
        """Bytes that the server itself has, without its children."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) * 1024

    def join(self, name):
        person = Person(self)
        answer = person.post("api/join", {"name": name, "code": self.code})
        check(answer.status == 200, f"{name} cannot join: {answer}")
        person.key = answer.json["key"]
        person.id = answer.json["student"]
        return person

    def lecturer(self):
        person = Person(self)
        check(person.post("api/lecturer", {"token": self.token}).status == 200, "the lecturer cannot log in")
        return person


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()
        try:
            self.json = json.loads(self.body)
        except ValueError:
            self.json = None

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Person:
    """A browser: keeps its cookie."""

    def __init__(self, server, prefix="/"):
        self.server = server
        self.prefix = prefix
        self.cookie = None

    def request(self, method, path, body=None, headers=None):
        if self.server.tls:
            connection = http.client.HTTPSConnection("127.0.0.1", self.server.port, timeout=PATIENCE,
                                                     context=self.server.tls)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.request(method, self.prefix + path, body,
                           {**({"Cookie": self.cookie} if self.cookie else {}), **(headers or {})})
        answer = Answer(connection.getresponse())
        connection.close()
        if "Set-Cookie" in answer.headers:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        return answer

    def get(self, path, **headers):
        return self.request("GET", path, None, headers)

    def post(self, path, body, headers=None):
        return self.request("POST", path, json.dumps(body), headers)

    def put(self, path, body, version=None):
        headers = {"If-None-Match": "*"} if version == 0 else {} if version is None else {"If-Match": f'"{version}"'}
        return self.request("PUT", "api/files/" + path, body, headers)

    def compile(self, source, **more):
        return self.request("POST", "api/compile", compile_request(source, **more))

    def live(self, page="vote", **more):
        return Live(self, page, **more)


class Refused(Exception):
    pass


class WebSocket:
    def __init__(self, port, path, headers=None, tls=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        if tls:
            self.socket = tls.wrap_socket(self.socket)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
                 "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **(headers or {})}
        self.socket.sendall(f"GET {path} HTTP/1.1\r\n".encode() +
                            "".join(f"{name}: {value}\r\n" for name, value in lines.items()).encode() + b"\r\n")
        self.pending = b""
        while b"\r\n\r\n" not in self.pending:
            self._more()
        head, self.pending = self.pending.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 101"):
            raise Refused(head.split(b"\r\n")[0].decode())

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("closed")
        self.pending += data

    def _take(self, count):
        while len(self.pending) < count:
            self._more()
        taken, self.pending = self.pending[:count], self.pending[count:]
        return taken

    def send_frame(self, opcode, payload, final=True, length=None):
        length = len(payload) if length is None else length
        head = bytes([opcode | (0x80 if final else 0)])
        head += (bytes([0x80 | length]) if length < 126 else bytes([0x80 | 126]) + struct.pack(">H", length)
                 if length < 65536 else bytes([0x80 | 127]) + struct.pack(">Q", length))
        mask = os.urandom(4)
        self.socket.sendall(head + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload)))

    def send(self, text):
        self.send_frame(1, text.encode())

    def frame(self):
        """The next message or control frame: (opcode, payload). Answers pings."""
        kind, message = None, b""
        while True:
            first, second = self._take(2)
            length = second & 0x7f
            if length == 126:
                length = struct.unpack(">H", self._take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self._take(8))[0]
            payload = self._take(length)
            opcode = first & 15
            if opcode == 9:
                self.send_frame(10, payload)
            elif opcode >= 8:
                return opcode, payload
            else:
                kind = opcode or kind
                message += payload
                if first & 0x80:
                    return kind, message

    def text(self):
        opcode, payload = self.frame()
        if opcode == 8:
            raise ConnectionError(f"closed: {struct.unpack('>H', payload[:2])[0] if payload else 0} {payload[2:]!r}")
        return payload.decode()

    def close_code(self):
        """Reads until the server closes: its code; 0: without one."""
        try:
            while True:
                opcode, payload = self.frame()
                if opcode == 8:
                    return struct.unpack(">H", payload[:2])[0] if payload else 0
        except (ConnectionError, TimeoutError):
            return 0

    def close(self):
        self.socket.close()


class Live(WebSocket):
    """The live socket of a page."""

    def __init__(self, person, page="vote", headers=None):
        super().__init__(person.server.port, person.prefix + "api/live", {"Cookie": person.cookie or "", **(headers or {})},
                         person.server.tls)
        self.welcome = self.until("welcome")
        self.say("hello", page=page)

    def say(self, kind, **fields):
        self.send(json.dumps({"type": kind, **fields}))

    def until(self, kind, condition=lambda message: True):
        """The next message of this type for which the condition holds."""
        end = time.monotonic() + PATIENCE
        seen = []
        while time.monotonic() < end:
            message = json.loads(self.text())
            seen.append(message)
            if message["type"] == kind and condition(message):
                return message
        raise Failure(f"no {kind} among {seen[-5:]}")


def _text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<I", len(data)) + data


def _list(values):
    return struct.pack("<I", len(values)) + b"".join(_text(value) for value in values)


def compile_request(source, name="student.cu", architecture="sm_90", options=(), trailer="", prelude=True,
                    include_dirs=(), whole_program=False, instances=(), seconds=20.0):
    return (b"warpshop compile 1\n" + _text(source) + _text(name) + _text(architecture) + _list(options) +
            _text(trailer) + bytes([prelude]) + _list(include_dirs) + bytes([whole_program]) + _list(instances) +
            struct.pack("<d", seconds))


def compiled(answer):
    """The PTX of an answer; None: it has errors."""
    mark = b"warpshop compiled 1\n"
    check(answer.status == 200 and answer.body.startswith(mark), f"no answer to compile: {answer}")
    body = answer.body[len(mark):]
    if body[0] == 0:
        return None
    size = struct.unpack("<I", body[1:5])[0]
    return body[5:5 + size].decode()


def run_tests(tests):
    """Runs functions, says each one's name, and returns the exit status."""
    failed = 0
    for test in tests:
        try:
            test()
            print(f"ok      {test.__name__}", flush=True)
        except (Failure, OSError, ConnectionError, Refused) as error:
            failed += 1
            print(f"FAILED  {test.__name__}: {type(error).__name__}: {error}", flush=True)
    return 1 if failed else 0
