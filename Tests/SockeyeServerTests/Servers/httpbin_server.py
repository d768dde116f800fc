"""Serves httpbin on a port of the system's choice, over HTTP/1.1, and prints the port."""
import logging

from httpbin import app
from werkzeug.serving import WSGIRequestHandler, make_server

logging.disable(logging.CRITICAL)
WSGIRequestHandler.protocol_version = "HTTP/1.1"


def accepting_chunks(environ, start_response):
    """httpbin refuses chunked requests unless it knows that the server decodes them. This one does, as well."""
    environ["SERVER_SOFTWARE"] = "gunicorn/compatible"
    return app(environ, start_response)


server = make_server("127.0.0.1", 0, accepting_chunks, threaded=True)
print(server.server_port, flush=True)
server.serve_forever()
