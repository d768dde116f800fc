"""Serves httpbin over HTTP/1.1 on a port that the kernel chooses, and prints the port."""
import logging

from httpbin import app
from werkzeug.serving import WSGIRequestHandler, make_server

logging.disable(logging.CRITICAL)
WSGIRequestHandler.protocol_version = "HTTP/1.1"


def accepting_chunks(environ, start_response):
    """Lets httpbin accept chunked requests: it refuses them unless the server is known to decode them, as this one does."""
    environ["SERVER_SOFTWARE"] = "gunicorn/compatible"
    return app(environ, start_response)


server = make_server("127.0.0.1", 0, accepting_chunks, threaded=True)
print(server.server_port, flush=True)
server.serve_forever()
