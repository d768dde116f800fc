// A server of the small response that does less work than any client: a receive and a send for each request, no
// parsing. With it the client's core is the limit, and more responses arrive between two waits than from a real server.
#define _GNU_SOURCE
#include "clients.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

// The response is as long as nginx's, with its eight fields.
static const char answer[] =
    "HTTP/1.1 200 OK\r\nServer: quick/1.00.0\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Type: text/plain\r\n"
    "Content-Length: 13\r\nLast-Modified: Thu, 01 Jan 1970 00:00:00 GMT\r\nConnection: keep-alive\r\n"
    "ETag: \"00000000-d\"\r\nAccept-Ranges: bytes\r\n\r\nHello, world!";

enum { LISTENER = 1 << 20, INPUT };

static void accept_one(int epoll, int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
    if (fd < 0) return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(epoll, fd, EPOLLIN | EPOLLET, (uint64_t)fd);
}

static void serve(int fd) {
    char request[512];
    // Requests are shorter than a segment and arrive one at a time.
    ssize_t count = recv(fd, request, sizeof request, 0);
    if (count == (ssize_t)small_request_length) count = send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL);
    if (count != (ssize_t)sizeof answer - 1) close(fd);
}

void serve_quickly(const struct plan *plan) {
    (void)plan;
    struct epoll_event events[256];
    int epoll = make_epoll(), listener = listen_on_loopback();
    watch(epoll, listener, EPOLLIN, LISTENER);
    watch(epoll, STDIN_FILENO, EPOLLIN, INPUT);
    while (true) {
        int count = counted_wait(epoll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.u64 == INPUT) return;
            if (events[i].data.u64 == LISTENER) {
                accept_one(epoll, listener);
            } else {
                serve((int)events[i].data.u64);
            }
        }
    }
}
