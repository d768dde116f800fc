// One end of a tunnel: a socket with or without TLS, and its unsent bytes.
#ifndef SOCKEYE_RELAY_END_H
#define SOCKEYE_RELAY_END_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct ssl_st;
struct tunnel;

struct end {
    int fd;
    // NULL without TLS.
    struct ssl_st *tls;
    struct tunnel *tunnel;
    // Bytes for this end that its socket did not accept.
    char *unsent;
    size_t unsent_count;
};

enum { end_would_block = 0, end_closed = -1 };

// Loads the certificate and key for ends with TLS, from PEM files; ends the program on failure.
void end_set_up_tls(const char *chain, const char *key);

void end_open(struct end *end, int fd, bool with_tls, struct tunnel *tunnel);
void end_close(struct end *end);

// Returns the number of bytes received, or one of the constants above.
ssize_t end_receive(struct end *end, char *bytes, size_t count);

// Returns true if there are decrypted bytes, which do not make the descriptor ready.
bool end_has_more(const struct end *end);

// Sends bytes, and keeps those that the socket does not accept; returns false if it is closed.
bool end_send(struct end *end, const char *bytes, size_t count);

// Sends the kept bytes.
bool end_flush(struct end *end);

#endif
