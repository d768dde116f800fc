"""Counts the messages that an echo server returns to Python's websockets: websocket_load.py PORT SIZE CONNECTIONS
SECONDS"""

import asyncio
import sys
import time

from websockets.asyncio.client import connect


async def load(port, size, end):
    payload, count = b"\x07" * size, 0
    async with connect(f"ws://127.0.0.1:{port}/", compression=None, max_size=None) as socket:
        while time.monotonic() < end:
            await socket.send(payload)
            assert len(await socket.recv()) == size
            count += 1
    return count


async def main(port, size, connections, seconds):
    end = time.monotonic() + seconds
    print(sum(await asyncio.gather(*(load(port, size, end) for _ in range(connections)))))


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])))
