"""The application that SweepTests sends requests to: WSGI for gunicorn and waitress, ASGI for uvicorn."""
import sys

BIG = bytes(index % 251 for index in range(1 << 20))
FILES = {"/small.txt": b"small\n", "/big.bin": BIG}


def wsgi(environ, start_response):
    if environ["REQUEST_METHOD"] == "POST":
        body = environ["wsgi.input"].read()
    else:
        body = FILES[environ["PATH_INFO"]]
    start_response("200 OK", [("Content-Type", "application/octet-stream"), ("Content-Length", str(len(body)))])
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


async def asgi(scope, receive, send):
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if scope["method"] != "POST":
        body = FILES[scope["path"]]
    fields = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": fields})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


if __name__ == "__main__":
    from waitress import serve

    serve(wsgi, host="127.0.0.1", port=int(sys.argv[1]))
