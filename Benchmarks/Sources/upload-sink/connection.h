// The requests of one connection, cut out of the bytes as they arrive.
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
    // A chunked body is on its way to the client.
    in_answer
};

struct connection {
    struct stream stream;
    enum connection_state state;
    // Bytes of the body, or of the chunk, that are still to come.
    unsigned long long remaining;
    // Bytes of the body so far, without framing.
    unsigned long long received;
    struct chunks answer;
    // The head, or the line, that is being read.
    size_t length;
    char text[8192];
};

struct connection *connection_make(struct stream stream);

// Takes the bytes that arrived; false if the connection is of no more use.
bool connection_receive(struct connection *connection, const char *bytes, size_t count);

// Sends what the socket takes of an answer; false if the connection is of no more use.
bool connection_send(struct connection *connection);

#endif
