// A parser for the requests of one connection, which takes bytes as they arrive.
#ifndef SOCKEYE_SINK_CONNECTION_H
#define SOCKEYE_SINK_CONNECTION_H

#include "chunks.h"
#include "stream.h"

enum connection_state {
    in_head,
    in_sized_body,
    in_chunk_line,
    in_chunk_data,
    in_chunk_end,
    in_trailers,
    // A chunked body is being sent to the client.
    in_answer
};

struct connection {
    struct stream stream;
    enum connection_state state;
    // The bytes of the body, or of the chunk, that are not received yet.
    unsigned long long remaining;
    // The received bytes of the body, without framing.
    unsigned long long received;
    struct chunks answer;
    // The head or line that is being read.
    size_t length;
    char text[8192];
};

struct connection *connection_make(struct stream stream);

// Takes received bytes; returns false if the connection is unusable.
bool connection_receive(struct connection *connection, const char *bytes, size_t count);

// Sends as much of a response as the socket accepts; returns false if the connection is unusable.
bool connection_send(struct connection *connection);

#endif
