// Small GETs by io_uring in place of epoll: a ring only reports readiness (a multishot poll for each descriptor, which
// is edge-triggered), and bytes are sent and received by send and recv. This fits behind an interface that reports only
// edges.
//
//   readiness-look  with the check of the reused connection
#define _GNU_SOURCE
#include "clients.h"
#include "ring.h"
#include "window.h"

#include <poll.h>

static struct connection {
    int fd;
    struct answer answer;
} connections[MOST_CONNECTIONS];

static struct ring ring;

static void begin_watching(size_t index) {
    struct io_uring_sqe *entry = new_entry(&ring, IORING_OP_POLL_ADD, index);
    entry->fd = connections[index].fd;
    entry->len = IORING_POLL_ADD_MULTI;
    entry->poll32_events = POLLIN | POLLRDHUP;
}

static void ask(const struct connection *connection) {
    counted_look(connection->fd);
    if (counted_send(connection->fd, small_request, small_request_length) != (long)small_request_length) {
        fail("a request was sent only partially");
    }
}

static void handle(const struct io_uring_cqe *completion, struct window *window) {
    static char buffer[4096];
    struct connection *connection = &connections[completion->user_data];
    window->completions++;
    if (completion->res < 0) fail_with("poll", -completion->res);
    if (!(completion->flags & IORING_CQE_F_MORE)) begin_watching(completion->user_data);
    long count = counted_receive(connection->fd, buffer, sizeof buffer);
    if (count < 0 || !take_answer(&connection->answer, buffer, (size_t)count)) return;
    window->units++;
    ask(connection);
}

void get_by_readiness(const struct plan *plan) {
    struct window window;
    make_ring(&ring, MOST_CONNECTIONS, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
    register_itself(&ring);
    for (int i = 0; i < plan->connections; i++) {
        connections[i].fd = open_connection(plan->port, false);
        begin_watching((size_t)i);
    }
    prepare_window(&window, WARM_UP, plan->seconds);
    for (int i = 0; i < plan->connections; i++) ask(&connections[i]);
    while (window_goes_on(&window)) {
        submit_and_wait(&ring);
        struct io_uring_cqe completion;
        while (take_completion(&ring, &completion)) handle(&completion, &window);
    }
    print_window(&window);
}
