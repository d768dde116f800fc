// An HTTP server that withholds responses, with one thread and epoll.
//
// Prints the port it listens on (127.0.0.1) and serves until its standard input ends.
//
//   GET /gather/N   is answered once N such requests wait, all at once, so that N connections are open at that time.
//   GET /never      is never answered completely: every second request gets a head and the beginning of a body.
//   GET /…          is answered at once.
//
// It trusts its clients and checks only what a measurement needs.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define LARGEST_HEAD 2048

struct connection {
    int fd;
    // True if the connection is in `waiting`, and its place there.
    bool waits;
    size_t place;
    size_t length;
    char head[LARGEST_HEAD];
};

static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nHello, world!";
static struct connection **waiting;
static size_t waiting_count, waiting_capacity;
static bool begins_body;

static int listen_on_loopback(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 8192) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        perror("holding-server");
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
        struct connection *connection = calloc(1, sizeof *connection);
        if (connection == NULL) {
            abort();
        }
        connection->fd = fd;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
}

// Sends a response, which is shorter than any send buffer. A connection that accepts less is broken; its next event
// reports that.
static void send_text(struct connection *connection, const char *text) {
    if (send(connection->fd, text, strlen(text), MSG_NOSIGNAL) < 0) {
        shutdown(connection->fd, SHUT_RDWR);
    }
}

static void let_wait(struct connection *connection) {
    if (waiting_count == waiting_capacity) {
        waiting_capacity = waiting_capacity == 0 ? 1024 : waiting_capacity * 2;
        waiting = realloc(waiting, waiting_capacity * sizeof *waiting);
        if (waiting == NULL) {
            abort();
        }
    }
    connection->waits = true;
    connection->place = waiting_count;
    waiting[waiting_count++] = connection;
}

static void stop_waiting(struct connection *connection) {
    struct connection *last = waiting[--waiting_count];
    waiting[connection->place] = last;
    last->place = connection->place;
    connection->waits = false;
}

static void gather(struct connection *connection, size_t enough) {
    let_wait(connection);
    if (waiting_count < enough) {
        return;
    }
    while (waiting_count > 0) {
        struct connection *first = waiting[waiting_count - 1];
        stop_waiting(first);
        send_text(first, answer);
    }
}

static void end_head(struct connection *connection) {
    static const char gathers[] = "GET /gather/", never[] = "GET /never";
    if (strncmp(connection->head, gathers, sizeof gathers - 1) == 0) {
        gather(connection, strtoull(connection->head + sizeof gathers - 1, NULL, 10));
    } else if (strncmp(connection->head, never, sizeof never - 1) == 0) {
        begins_body = !begins_body;
        if (begins_body) {
            // Too long for a client that reads the rest of a body in order to reuse the connection.
            send_text(connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nHello, world!");
        }
    } else {
        send_text(connection, answer);
    }
}

// Receives a request. Requests have no bodies, and the next one follows only after the response. Returns false if the
// connection is unusable.
static bool receive(struct connection *connection) {
    char *end = connection->head + connection->length;
    ssize_t count = recv(connection->fd, end, LARGEST_HEAD - 1 - connection->length, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return true;
    }
    if (count <= 0) {
        return false;
    }
    connection->length += (size_t)count;
    connection->head[connection->length] = 0;
    if (strstr(connection->head, "\r\n\r\n") != NULL) {
        connection->length = 0;
        end_head(connection);
    }
    return true;
}

static void end_connection(struct connection *connection) {
    if (connection->waits) {
        stop_waiting(connection);
    }
    close(connection->fd);
    free(connection);
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
            } else if (!receive(events[i].data.ptr)) {
                end_connection(events[i].data.ptr);
            }
        }
    }
}
