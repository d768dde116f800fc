"""WebSocket echo servers: websockets on one port, wsproto on another, websockets on a unix-domain socket.

Prints the two ports. /close closes with 4321 after the first message; /ping echoes after its ping was answered.
"""

import asyncio
import sys

from websockets.asyncio.server import serve, unix_serve
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Ping,
    Request,
    TextMessage,
)
from wsproto.extensions import PerMessageDeflate


async def with_websockets(connection):
    path = connection.request.path
    async for message in connection:
        if path == "/ping":
            await (await connection.ping())
        if path == "/fragments":
            await connection.send([message[i : i + 1000] for i in range(0, len(message), 1000)])
        else:
            await connection.send(message)
        if path == "/close":
            await connection.close(4321, "that was it")


async def with_wsproto(reader, writer):
    connection = WSConnection(ConnectionType.SERVER)
    text, data = [], []
    while chunk := await reader.read(65536):
        connection.receive_data(chunk)
        out = b""
        done = False
        for event in connection.events():
            if isinstance(event, Request):
                chosen = next(iter(event.subprotocols), None)
                accept = AcceptConnection(subprotocol=chosen, extensions=[PerMessageDeflate()])
                out += connection.send(accept)
            elif isinstance(event, TextMessage):
                text.append(event.data)
                if event.message_finished:
                    out += connection.send(TextMessage(data="".join(text)))
                    text.clear()
            elif isinstance(event, BytesMessage):
                data.append(event.data)
                if event.message_finished:
                    out += connection.send(BytesMessage(data=b"".join(data)))
                    data.clear()
            elif isinstance(event, Ping):
                out += connection.send(event.response())
            elif isinstance(event, CloseConnection):
                out += connection.send(event.response())
                done = True
        writer.write(out)
        await writer.drain()
        if done:
            break
    writer.close()


async def main():
    # With a list of subprotocols, websockets would refuse clients that offer none of them.
    options = {"max_size": None, "select_subprotocol": lambda connection, offered: next(iter(offered), None)}
    first = await serve(with_websockets, "127.0.0.1", 0, **options)
    second = await asyncio.start_server(with_wsproto, "127.0.0.1", 0)
    behind = [await unix_serve(with_websockets, path, **options) for path in sys.argv[1:]]
    ports = [server.sockets[0].getsockname()[1] for server in (first, second)]
    print(*ports, flush=True)
    await asyncio.gather(*(server.serve_forever() for server in [first, second, *behind]))


asyncio.run(main())
