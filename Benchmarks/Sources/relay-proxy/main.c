// A proxy that relays bytes with one thread and epoll, one read and one write for arriving bytes, so that the client is
// the limit.
//
// usage: relay-proxy CHAIN KEY
//
// Prints the ports it listens on (127.0.0.1): for CONNECT, for CONNECT within TLS, for SOCKS 5; and serves until its
// standard input ends. It always connects to the requested port of this machine, whatever the host. It trusts its
// clients, as upload-sink does.
#define _GNU_SOURCE
#include "tunnel.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_events = 256 };
static char buffer[256 * 1024];
static int epoll;
// Closed tunnels; their other end may still have an event in the present batch.
static struct tunnel *dead[2 * most_events];
static int dead_count;

static int listen_on_loopback(int *port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 4096) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        perror("relay-proxy");
        exit(1);
    }
    *port = ntohs(address.sin_port);
    return listener;
}

static void watch(int operation, int fd, void *context, unsigned events) {
    struct epoll_event event = {.events = events, .data.ptr = context};
    epoll_ctl(epoll, operation, fd, &event);
}

static void accept_all(int listener, bool with_tls, bool is_socks) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct tunnel *tunnel = tunnel_make(fd, with_tls, is_socks);
        watch(EPOLL_CTL_ADD, fd, &tunnel->client, EPOLLIN);
    }
}

// Watches both ends. While one end has unsent bytes, the other is not read.
static void watch_both(struct end *one, struct end *other) {
    watch(EPOLL_CTL_MOD, one->fd, one, (other->unsent_count == 0 ? EPOLLIN : 0) | (one->unsent_count > 0 ? EPOLLOUT : 0));
    watch(EPOLL_CTL_MOD, other->fd, other, (one->unsent_count == 0 ? EPOLLIN : 0) | (other->unsent_count > 0 ? EPOLLOUT : 0));
}

// Makes one read, so that connections take turns. With TLS, reads all decrypted bytes, which do not make a descriptor
// ready.
static bool receive(struct end *end) {
    struct tunnel *tunnel = end->tunnel;
    do {
        ssize_t count = end_receive(end, buffer, sizeof buffer);
        if (count <= 0) {
            return count == end_would_block;
        }
        if (tunnel->state != in_relay) {
            if (!tunnel_negotiate(tunnel, buffer, (size_t)count)) {
                return false;
            }
            if (tunnel->state == in_relay) {
                watch(EPOLL_CTL_ADD, tunnel->server.fd, &tunnel->server, EPOLLIN);
            }
            continue;
        }
        struct end *other = end == &tunnel->client ? &tunnel->server : &tunnel->client;
        if (!end_send(other, buffer, (size_t)count)) {
            return false;
        }
        if (other->unsent_count > 0) {
            watch_both(end, other);
        }
    } while (end_has_more(end));
    return true;
}

static void serve(struct end *end, unsigned events) {
    struct tunnel *tunnel = end->tunnel;
    if (tunnel->is_dead) {
        return;
    }
    bool good = true;
    if (events & EPOLLOUT) {
        good = end_flush(end);
        if (good && end->unsent_count == 0 && tunnel->state == in_relay) {
            watch_both(&tunnel->client, &tunnel->server);
        }
    }
    if (good && events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        good = receive(end);
    }
    if (!good) {
        tunnel->is_dead = true;
        dead[dead_count++] = tunnel;
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: relay-proxy CHAIN KEY\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    end_set_up_tls(arguments[1], arguments[2]);
    int ports[3], listeners[3], input = STDIN_FILENO;
    epoll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < 3; i++) {
        listeners[i] = listen_on_loopback(&ports[i]);
        watch(EPOLL_CTL_ADD, listeners[i], &listeners[i], EPOLLIN);
    }
    watch(EPOLL_CTL_ADD, input, &input, EPOLLIN);
    printf("%d %d %d\n", ports[0], ports[1], ports[2]);
    fflush(stdout);
    for (;;) {
        struct epoll_event events[most_events];
        int ready = epoll_wait(epoll, events, most_events, -1);
        for (int i = 0; i < ready; i++) {
            void *context = events[i].data.ptr;
            if (context == &input) {
                return 0;
            } else if (context >= (void *)listeners && context < (void *)(listeners + 3)) {
                int *listener = context;
                accept_all(*listener, listener == &listeners[1], listener == &listeners[2]);
            } else {
                serve(context, events[i].events);
            }
        }
        while (dead_count > 0) {
            tunnel_free(dead[--dead_count]);
        }
    }
}
