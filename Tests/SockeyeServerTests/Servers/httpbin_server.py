"""Serves httpbin on a port of the system's choice, over HTTP/1.1, and prints the port."""
import logging

from httpbin import app
from werkzeug.serving import WSGIRequestHandler, make_server

logging.disable(logging.CRITICAL)
WSGIRequestHandler.protocol_version = "HTTP/1.1"
server = make_server("127.0.0.1", 0, app, threaded=True)
print(server.server_port, flush=True)
server.serve_forever()
