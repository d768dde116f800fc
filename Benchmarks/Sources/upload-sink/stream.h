// A socket with or without TLS.
#ifndef SOCKEYE_SINK_STREAM_H
#define SOCKEYE_SINK_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct ssl_st;

struct stream {
    int fd;
    // NULL without TLS.
    struct ssl_st *tls;
};

// Loads the certificate and key for streams with TLS, from PEM files; ends the program on failure.
void stream_set_up_tls(const char *chain, const char *key);

// Begins to serve a connected socket.
struct stream stream_make(int fd, bool with_tls);

void stream_close(struct stream *stream);

enum { stream_would_block = 0, stream_ended = -1 };

// Returns the number of bytes received, or one of the constants above.
ssize_t stream_receive(struct stream *stream, char *bytes, size_t count);

// Sends a text that is shorter than any send buffer; a short write means a broken connection.
bool stream_send(struct stream *stream, const char *text);

#endif
