"""Python's own server, which speaks HTTP/1.0 by default, on a port that the kernel chooses and that it prints."""
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    def answer(self, fields, body):
        self.send_response(200)
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        text = f"{self.request_version} from {self.client_address[1]}".encode()
        if self.path == "/length":
            self.answer([("Content-Length", str(len(text)))], text)
        elif self.path == "/keep":
            self.close_connection = self.headers.get("Connection", "").lower() != "keep-alive"
            self.answer([("Content-Length", str(len(text))), ("Connection", "keep-alive")], text)
        elif self.path == "/large":
            self.answer([], b"x" * 1_000_000)
        elif self.path == "/short":
            self.answer([("Content-Length", "1000")], b"only this")
        elif self.path == "/empty":
            self.answer([], b"")
        else:
            self.answer([], text)

    do_HEAD = do_GET

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer([], b"%d bytes" % len(body))

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
