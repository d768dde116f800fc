// Code that all clients share: connections, counted system calls, and the framing of responses.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

#define MOST_CONNECTIONS 1024
#define GIBIBYTE (1ULL << 30)

// The parameters of a run; `flavour` names the way in which it waits and transfers.
struct plan {
    const char *flavour;
    uint16_t port;
    int connections;
    double seconds;
};

// The number of system calls of this thread.
extern _Thread_local uint64_t calls;

_Noreturn void fail(const char *what);
_Noreturn void fail_with(const char *what, int error);

// Opens a connected TCP socket with TCP_NODELAY. A ring needs it blocking: with O_NONBLOCK its operations end with
// EAGAIN instead of waiting.
int open_connection(uint16_t port, bool is_blocking);
// Listens on loopback and prints the port.
int listen_on_loopback(void);
int make_epoll(void);
void watch(int epoll, int fd, uint32_t events, uint64_t data);

// Counted system calls. They return -1 for EAGAIN; every other error ends the program.
long counted_send(int fd, const void *bytes, size_t count);
// Never returns 0, because a server that closes a connection ends the program.
long counted_receive(int fd, void *bytes, size_t count);
int counted_wait(int epoll, struct epoll_event *events, int capacity, int timeout);
// Checks a reused connection: there must be no byte to read, and no end.
void counted_look(int fd);

// The small GET that is sent repeatedly.
extern const char small_request[];
extern const size_t small_request_length;

// A partially received response.
struct answer {
    size_t held;
    char bytes[1024];
};

// Takes bytes of the response; returns true if it is complete. A response other than 200 with the expected body ends
// the program.
bool take_answer(struct answer *answer, const char *bytes, size_t count);
// Returns the length of the head with its empty line; 0 if it is incomplete. Expects 200 with a Content-Length.
size_t head_length(const char *bytes, size_t count, uint64_t *content_length);
