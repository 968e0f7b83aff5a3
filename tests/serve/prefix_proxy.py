"""A reverse proxy that puts a server below a path, as nginx and jupyter-server-proxy do, for tests.

    with PrefixProxy("/class/one", port) as proxy:
        proxy.address  →  "http://127.0.0.1:PORT/class/one/"

Each connection carries one request, so that a request's first lines are all that is rewritten.
"""
import socket
import threading


class PrefixProxy:
    def __init__(self, prefix, port):
        self.prefix = prefix.encode()
        self.port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}{prefix}/"

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client:
            head = b""
            while b"\r\n\r\n" not in head:
                data = client.recv(1 << 16)
                if not data:
                    return
                head += data
            head, body = head.split(b"\r\n\r\n", 1)
            lines = head.split(b"\r\n")
            method, path, version = lines[0].split(b" ")
            if not path.startswith(self.prefix + b"/"):
                client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            upgrade = any(line.lower().startswith(b"upgrade:") for line in lines)
            lines[0] = b" ".join((method, path[len(self.prefix):], version))
            if not upgrade:
                lines = [line for line in lines if not line.lower().startswith(b"connection:")] + [b"Connection: close"]
            lines.append(b"X-Forwarded-Prefix: " + self.prefix)
            try:
                server = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                client.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            with server:
                server.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
                up = threading.Thread(target=_pump, args=(client, server), daemon=True)
                up.start()
                _pump(server, client)
                up.join(1)


def _pump(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
