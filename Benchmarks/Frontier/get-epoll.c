// Small GETs by epoll, one thread, edge-triggered, each descriptor registered once:
//
//   epoll-look   as Sockeye on its poller's executor: a check of the reused connection, send, wait, recv
//   epoll        as hyper: the same without the check
//   epoll-spin   as epoll, but polling continuously instead of sleeping, as the kernel thread of ring-sqpoll does
#define _GNU_SOURCE
#include "clients.h"
#include "window.h"

#include <string.h>

struct connection {
    int fd;
    struct answer answer;
};

static struct connection connections[MOST_CONNECTIONS];
static char buffer[4096];

static void ask(const struct connection *connection, bool looks) {
    if (looks) counted_look(connection->fd);
    if (counted_send(connection->fd, small_request, small_request_length) != (long)small_request_length) {
        fail("a request was sent only partially");
    }
}

static void receive(struct connection *connection, struct window *window, bool looks) {
    long count = counted_receive(connection->fd, buffer, sizeof buffer);
    if (count < 0 || !take_answer(&connection->answer, buffer, (size_t)count)) return;
    window->units++;
    ask(connection, looks);
}

void get_by_epoll(const struct plan *plan) {
    bool looks = strcmp(plan->flavour, "epoll-look") == 0;
    int timeout = strcmp(plan->flavour, "epoll-spin") == 0 ? 0 : -1;
    int epoll = make_epoll();
    struct epoll_event events[256];
    struct window window;
    for (int i = 0; i < plan->connections; i++) {
        connections[i].fd = open_connection(plan->port, false);
        watch(epoll, connections[i].fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, (uint64_t)i);
    }
    prepare_window(&window, WARM_UP, plan->seconds);
    for (int i = 0; i < plan->connections; i++) ask(&connections[i], looks);
    while (window_goes_on(&window)) {
        int count = counted_wait(epoll, events, 256, timeout);
        window.completions += (uint64_t)count;
        for (int i = 0; i < count; i++) {
            // Edges of writability occur occasionally and are ignored.
            if (events[i].events & EPOLLIN) receive(&connections[events[i].data.u64], &window, looks);
        }
    }
    print_window(&window);
}
