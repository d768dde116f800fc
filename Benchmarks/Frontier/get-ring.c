// Small GETs by io_uring, one thread, one io_uring_enter for all submissions and the wait:
//
//   ring            a send and a recv for each request
//   ring-linked     the same as a chain, so that the recv begins when the request is sent
//   ring-deferred   as ring, with completions posted only during a wait (SINGLE_ISSUER, DEFER_TASKRUN)
//   ring-multishot  as ring-deferred, with one recv for the life of a connection (multishot) into provided buffers,
//                   registered descriptors, and no completion for a successful send
//   ring-sqpoll     as ring-multishot, with a kernel thread that takes the submissions instead of a call
//
// A receive is always in flight, so unrequested bytes or an end complete without a call: the check costs nothing here.
#define _GNU_SOURCE
#include "clients.h"
#include "ring.h"
#include "window.h"

#include <string.h>
#include <sys/socket.h>

enum { RECEIVED, SENT, KINDS };
enum { BUFFERS = 1024, BUFFER_SIZE = 2048 };
#define DEFERRED (IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN)

static const struct traits {
    const char *name;
    unsigned setup;
    bool is_linked, is_multishot;
} all_traits[] = {
    {"ring", 0, false, false},
    {"ring-linked", 0, true, false},
    {"ring-deferred", DEFERRED, false, false},
    {"ring-multishot", DEFERRED, false, true},
    {"ring-sqpoll", IORING_SETUP_SQPOLL | IORING_SETUP_SINGLE_ISSUER, false, true},
};

static struct connection {
    int fd;
    bool is_asked;
    struct answer answer;
    char buffer[BUFFER_SIZE];
} connections[MOST_CONNECTIONS];

static const struct traits *traits;
static struct ring ring;
static struct buffers buffers;

static void name_descriptor(struct io_uring_sqe *entry, size_t index) {
    entry->fd = traits->is_multishot ? (int)index : connections[index].fd;
    if (traits->is_multishot) entry->flags |= IOSQE_FIXED_FILE;
}

static void begin_receive(size_t index) {
    struct io_uring_sqe *entry = new_entry(&ring, IORING_OP_RECV, index * KINDS + RECEIVED);
    name_descriptor(entry, index);
    // No byte has arrived yet, so the kernel waits before it tries to receive.
    entry->ioprio = IORING_RECVSEND_POLL_FIRST;
    if (traits->is_multishot) {
        entry->ioprio |= IORING_RECV_MULTISHOT;
        entry->flags |= IOSQE_BUFFER_SELECT;
    } else {
        entry->addr = (uint64_t)connections[index].buffer;
        entry->len = BUFFER_SIZE;
    }
}

static void begin_send(size_t index) {
    struct io_uring_sqe *entry = new_entry(&ring, IORING_OP_SEND, index * KINDS + SENT);
    name_descriptor(entry, index);
    entry->addr = (uint64_t)small_request;
    entry->len = (uint32_t)small_request_length;
    // With MSG_WAITALL a partial send fails, and so has a completion.
    entry->msg_flags = MSG_NOSIGNAL | MSG_WAITALL;
    if (traits->is_multishot) entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
    if (traits->is_linked) entry->flags |= IOSQE_IO_LINK;
    connections[index].is_asked = true;
}

static void ask(size_t index) {
    begin_send(index);
    if (!traits->is_multishot) begin_receive(index);
}

static void receive(const struct io_uring_cqe *completion, struct window *window) {
    size_t index = completion->user_data / KINDS;
    struct connection *connection = &connections[index];
    if (completion->res == 0) fail("the server has ended a connection");
    if (completion->res < 0) fail_with("recv", -completion->res);
    if (!connection->is_asked) fail("the server sent unrequested bytes");
    unsigned buffer = completion->flags >> IORING_CQE_BUFFER_SHIFT;
    const char *bytes = traits->is_multishot ? buffer_at(&buffers, buffer) : connection->buffer;
    bool is_complete = take_answer(&connection->answer, bytes, (size_t)completion->res);
    if (traits->is_multishot) {
        return_buffer(&buffers, buffer);
        if (!(completion->flags & IORING_CQE_F_MORE)) begin_receive(index);
    } else if (!is_complete) {
        begin_receive(index);
    }
    if (!is_complete) return;
    connection->is_asked = false;
    window->units++;
    ask(index);
}

static void handle(const struct io_uring_cqe *completion, struct window *window) {
    window->completions++;
    if (completion->user_data % KINDS == RECEIVED) {
        receive(completion, window);
    } else if (completion->res < 0) {
        fail_with("send", -completion->res);
    } else if ((size_t)completion->res != small_request_length) {
        fail("a request was sent only partially");
    }
}

static void prepare(const struct plan *plan) {
    for (size_t i = 0; i < sizeof all_traits / sizeof *all_traits; i++) {
        if (strcmp(plan->flavour, all_traits[i].name) == 0) traits = &all_traits[i];
    }
    if (traits == NULL) fail("no such flavour");
    int descriptors[MOST_CONNECTIONS];
    make_ring(&ring, MOST_CONNECTIONS, traits->setup);
    for (int i = 0; i < plan->connections; i++) {
        connections[i].fd = descriptors[i] = open_connection(plan->port, true);
    }
    if (!traits->is_multishot) return;
    register_descriptors(&ring, descriptors, (unsigned)plan->connections);
    register_itself(&ring);
    provide_buffers(&ring, &buffers, BUFFERS, BUFFER_SIZE);
    for (int i = 0; i < plan->connections; i++) begin_receive((size_t)i);
}

void get_by_ring(const struct plan *plan) {
    struct window window;
    prepare(plan);
    prepare_window(&window, WARM_UP, plan->seconds);
    for (int i = 0; i < plan->connections; i++) ask((size_t)i);
    while (window_goes_on(&window)) {
        submit_and_wait(&ring);
        struct io_uring_cqe completion;
        while (take_completion(&ring, &completion)) handle(&completion, &window);
        if (traits->is_multishot) publish_buffers(&buffers);
    }
    print_window(&window);
}
