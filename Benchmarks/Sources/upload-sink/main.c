// An HTTP server that discards uploads: one thread, epoll, nothing in the way of the client.
//
// Prints the port it listens on (127.0.0.1) and serves until its standard input ends. Reads requests with a
// Content-Length or chunked, answers "Expect: 100-continue", and answers every request with the number of body bytes
// that it received. It trusts its clients: it is a measuring device and checks only what a measurement needs.
#define _GNU_SOURCE
#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static char buffer[1 << 20];

static int listen_on_loopback(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 4096) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        perror("upload-sink");
        exit(1);
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static void accept_all(int epoll, int listener) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection_make(fd)};
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
}

// One read, so that connections take turns. Level-triggered: what is left makes the descriptor ready again.
static void serve(struct connection *connection) {
    ssize_t count = recv(connection->fd, buffer, sizeof buffer, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (count <= 0 || !connection_receive(connection, buffer, (size_t)count)) {
        close(connection->fd);
        free(connection);
    }
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    int listener = listen_on_loopback();
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    int input = STDIN_FILENO;
    struct epoll_event listening = {.events = EPOLLIN, .data.ptr = &listener};
    struct epoll_event ending = {.events = EPOLLIN, .data.ptr = &input};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &listening);
    epoll_ctl(epoll, EPOLL_CTL_ADD, input, &ending);
    for (;;) {
        struct epoll_event events[256];
        int count = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr == &listener) {
                accept_all(epoll, listener);
            } else if (events[i].data.ptr == &input) {
                return 0;
            } else {
                serve(events[i].data.ptr);
            }
        }
    }
}
