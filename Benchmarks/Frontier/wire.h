// What all clients share: connections, counted system calls, and the framing of answers.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

#define MOST_CONNECTIONS 1024
#define GIBIBYTE (1ULL << 30)

// What a run is asked to do; `flavour` is how it waits and transfers.
struct plan {
    const char *flavour;
    uint16_t port;
    int connections;
    double seconds;
};

// The system calls of this thread.
extern _Thread_local uint64_t calls;

_Noreturn void fail(const char *what);
_Noreturn void fail_with(const char *what, int error);

// A connected TCP socket with TCP_NODELAY. A ring wants it blocking: with O_NONBLOCK its operations end with EAGAIN instead
// of waiting.
int open_connection(uint16_t port, bool is_blocking);
// Prints the port that it got.
int listen_on_loopback(void);
int make_epoll(void);
void watch(int epoll, int fd, uint32_t events, uint64_t data);

// System calls, counted. -1 is EAGAIN; every other error ends the program.
long counted_send(int fd, const void *bytes, size_t count);
// 0 is no end here: a server that ends a connection ends the program.
long counted_receive(int fd, void *bytes, size_t count);
int counted_wait(int epoll, struct epoll_event *events, int capacity, int timeout);
// The look at a used connection: there must be nothing to read, and no end.
void counted_look(int fd);

// The small GET that is sent again and again.
extern const char small_request[];
extern const size_t small_request_length;

// An answer to it that has come in part.
struct answer {
    size_t held;
    char bytes[1024];
};

// Takes in bytes of the answer; true when it is complete. Anything but 200 with the expected body ends the program.
bool take_answer(struct answer *answer, const char *bytes, size_t count);
// The length of the head with its empty line, 0 while that has not come. Wants a 200 with a Content-Length.
size_t head_length(const char *bytes, size_t count, uint64_t *content_length);
