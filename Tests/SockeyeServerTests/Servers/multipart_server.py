"""Parses multipart forms with werkzeug (/werkzeug) or python-multipart (/python-multipart), and returns the parts as
JSON. Listens on a port that the kernel chooses, and prints it."""
import hashlib
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import python_multipart
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData


def text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else value


def found(name, filename, content_type, content):
    return {
        "name": text(name), "filename": text(filename), "type": content_type, "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def with_werkzeug(headers, pieces):
    _, options = parse_options_header(headers["Content-Type"])
    decoder = MultipartDecoder(options["boundary"].encode(), max_form_memory_size=None)
    parts, part, content = [], None, b""
    for piece in [*pieces, None]:
        decoder.receive_data(piece)
        while True:
            event = decoder.next_event()
            if isinstance(event, NeedData):
                break
            if isinstance(event, (Field, File)):
                part, content = event, b""
            elif isinstance(event, Data):
                content += event.data
                if not event.more_data:
                    filename = getattr(part, "filename", None)
                    parts.append(found(part.name, filename, part.headers.get("Content-Type"), content))
            elif isinstance(event, Epilogue):
                return parts
    raise ValueError("no end")


def with_python_multipart(headers, pieces):
    parts = []

    def on_file(file):
        file.file_object.seek(0)
        parts.append(found(file.field_name, file.file_name, file.content_type, file.file_object.read()))

    def on_field(field):
        parts.append(found(field.field_name, None, None, field.value or b""))

    parser = python_multipart.create_form_parser(headers, on_field, on_file, config={"MAX_MEMORY_FILE_SIZE": 1 << 30})
    for piece in pieces:
        parser.write(piece)
    parser.finalize()
    return parts


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pieces(self):
        if "Content-Length" in self.headers:
            left = int(self.headers["Content-Length"])
            while left > 0:
                piece = self.rfile.read(min(left, 65536))
                left -= len(piece)
                yield piece
            return
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def do_POST(self):
        pieces = list(self.pieces())
        parse = with_werkzeug if self.path == "/werkzeug" else with_python_multipart
        try:
            status, answer = 200, parse({name: value for name, value in self.headers.items()}, pieces)
        except Exception as error:
            status, answer = 400, repr(error)
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
