// An HTTP server for bodies with one thread and epoll, which does little work so that the client is the limit.
//
// usage: upload-sink CHAIN KEY
//
// Prints the ports it listens on (127.0.0.1), first without and then with TLS, and serves until its standard input
// ends. Reads requests with a Content-Length or chunked, answers "Expect: 100-continue", and answers every request with
// the number of received body bytes, except GET /chunked/N, which it answers with N bytes, chunked. It trusts its
// clients and checks only what a measurement needs.
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
static int epoll;

static int listen_on_loopback(int *port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 4096) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        perror("upload-sink");
        exit(1);
    }
    *port = ntohs(address.sin_port);
    return listener;
}

static void watch(int operation, int fd, void *context, unsigned events) {
    struct epoll_event event = {.events = events, .data.ptr = context};
    epoll_ctl(epoll, operation, fd, &event);
}

static void accept_all(int listener, bool with_tls) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(EPOLL_CTL_ADD, fd, connection_make(stream_make(fd, with_tls)), EPOLLIN);
    }
}

// Makes one read, so that connections take turns. Level-triggered: unread bytes make the descriptor ready again. Bytes
// that TLS has read ahead do not, so they are all read.
static bool receive(struct connection *connection) {
    ssize_t count;
    do {
        count = stream_receive(&connection->stream, buffer, sizeof buffer);
        if (count == stream_ended || (count > 0 && !connection_receive(connection, buffer, (size_t)count))) {
            return false;
        }
    } while (count > 0 && connection->stream.tls != NULL);
    return true;
}

static void serve(struct connection *connection) {
    bool was_sending = connection->state == in_answer;
    bool good = was_sending || receive(connection);
    if (good && connection->state == in_answer) {
        good = connection_send(connection);
    }
    bool is_sending = connection->state == in_answer;
    if (!good) {
        stream_close(&connection->stream);
        free(connection);
    } else if (is_sending != was_sending) {
        watch(EPOLL_CTL_MOD, connection->stream.fd, connection, is_sending ? EPOLLOUT : EPOLLIN);
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: upload-sink CHAIN KEY\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    stream_set_up_tls(arguments[1], arguments[2]);
    chunks_set_up();
    int port, tls_port;
    int plain = listen_on_loopback(&port), tls = listen_on_loopback(&tls_port), input = STDIN_FILENO;
    epoll = epoll_create1(EPOLL_CLOEXEC);
    watch(EPOLL_CTL_ADD, plain, &plain, EPOLLIN);
    watch(EPOLL_CTL_ADD, tls, &tls, EPOLLIN);
    watch(EPOLL_CTL_ADD, input, &input, EPOLLIN);
    printf("%d %d\n", port, tls_port);
    fflush(stdout);
    for (;;) {
        struct epoll_event events[256];
        int ready = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            void *context = events[i].data.ptr;
            if (context == &plain || context == &tls) {
                accept_all(*(int *)context, context == &tls);
            } else if (context == &input) {
                return 0;
            } else {
                serve(context);
            }
        }
    }
}
