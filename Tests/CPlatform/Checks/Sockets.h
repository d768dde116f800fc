// Pairs of non-blocking stream sockets for the checks.
#ifndef SOCKEYE_CHECK_SOCKETS_H
#define SOCKEYE_CHECK_SOCKETS_H

struct pair {
    int ours, theirs;
};

// Unix sockets.
struct pair socket_pair(void);
// TCP over loopback.
struct pair tcp_pair(void);
void close_pair(struct pair pair);

// A listening TCP socket on a free port of 127.0.0.1, and a socket whose connect(2) to it has started.
int tcp_listener(void);
int tcp_connect(int listener);

// Writes until the send buffer is full.
void fill(int socket);
// Reads until nothing is left.
void drain(int socket);
// Closes a TCP socket with a reset.
void reset(int socket);
// The number of open descriptors below 256.
int open_descriptors(void);

#endif
