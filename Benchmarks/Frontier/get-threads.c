// Small GETs by two threads, as in Sockeye's default mode: one only waits, the other, which stands for the cooperative
// pool, sends and receives.
//
//   epoll-look      the poller reports edges; the worker receives, checks the reused connection and sends
//   epoll           the same without the check
//   ring-multishot  the poller hands over the bytes of multishot receives; the worker sends by send(2), because a ring
//                   with SINGLE_ISSUER and DEFER_TASKRUN belongs to one thread
#define _GNU_SOURCE
#include "clients.h"
#include "mailbox.h"
#include "ring.h"
#include "window.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { BUFFERS = 1024, BUFFER_SIZE = 2048 };

static struct connection {
    int fd;
    struct answer answer;
} connections[MOST_CONNECTIONS];

static struct mailbox mailbox;
static struct ring ring;
// Only the worker returns buffers, after they are registered.
static struct buffers buffers;
static pthread_barrier_t is_prepared;
static volatile uint64_t calls_of_poller;
static bool has_ring, looks;

static void *wait_by_epoll(void *argument) {
    const struct plan *plan = argument;
    struct epoll_event events[256];
    int epoll = make_epoll();
    for (int i = 0; i < plan->connections; i++) {
        watch(epoll, connections[i].fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, (uint64_t)i);
    }
    pthread_barrier_wait(&is_prepared);
    while (true) {
        int count = counted_wait(epoll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            if (!(events[i].events & EPOLLIN)) continue;
            write_letter(&mailbox, (struct letter){.connection = (uint32_t)events[i].data.u64});
        }
        deliver(&mailbox);
        calls_of_poller = calls;
    }
    return NULL;
}

static void begin_receive(size_t index) {
    struct io_uring_sqe *entry = new_entry(&ring, IORING_OP_RECV, index);
    entry->fd = (int)index;
    entry->flags = IOSQE_FIXED_FILE | IOSQE_BUFFER_SELECT;
    entry->ioprio = IORING_RECVSEND_POLL_FIRST | IORING_RECV_MULTISHOT;
}

static void prepare_ring(const struct plan *plan) {
    int descriptors[MOST_CONNECTIONS];
    make_ring(&ring, MOST_CONNECTIONS, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
    for (int i = 0; i < plan->connections; i++) descriptors[i] = connections[i].fd;
    register_descriptors(&ring, descriptors, (unsigned)plan->connections);
    register_itself(&ring);
    provide_buffers(&ring, &buffers, BUFFERS, BUFFER_SIZE);
    for (int i = 0; i < plan->connections; i++) begin_receive((size_t)i);
}

static void *wait_by_ring(void *argument) {
    prepare_ring(argument);
    pthread_barrier_wait(&is_prepared);
    while (true) {
        struct io_uring_cqe completion;
        submit_and_wait(&ring);
        while (take_completion(&ring, &completion)) {
            if (completion.res <= 0) fail_with("recv", -completion.res);
            write_letter(&mailbox, (struct letter){
                .connection = (uint32_t)completion.user_data,
                .count = completion.res,
                .buffer = completion.flags >> IORING_CQE_BUFFER_SHIFT});
            if (!(completion.flags & IORING_CQE_F_MORE)) begin_receive(completion.user_data);
        }
        deliver(&mailbox);
        calls_of_poller = calls;
    }
    return NULL;
}

static void ask(const struct connection *connection) {
    if (looks) counted_look(connection->fd);
    if (counted_send(connection->fd, small_request, small_request_length) != (long)small_request_length) {
        fail("a request was sent only partially");
    }
}

static bool receive(struct letter letter) {
    static char buffer[4096];
    struct connection *connection = &connections[letter.connection];
    if (!has_ring) {
        long count = counted_receive(connection->fd, buffer, sizeof buffer);
        return count >= 0 && take_answer(&connection->answer, buffer, (size_t)count);
    }
    bool is_complete = take_answer(&connection->answer, buffer_at(&buffers, letter.buffer), (size_t)letter.count);
    return_buffer(&buffers, letter.buffer);
    publish_buffers(&buffers);
    return is_complete;
}

void get_by_two_threads(const struct plan *plan) {
    pthread_t poller;
    struct window window;
    has_ring = strcmp(plan->flavour, "ring-multishot") == 0;
    looks = strcmp(plan->flavour, "epoll-look") == 0;
    if (!has_ring && strncmp(plan->flavour, "epoll", 5) != 0) fail("no such flavour");
    for (int i = 0; i < plan->connections; i++) connections[i].fd = open_connection(plan->port, has_ring);
    pthread_barrier_init(&is_prepared, NULL, 2);
    int error = pthread_create(&poller, NULL, has_ring ? wait_by_ring : wait_by_epoll, (void *)plan);
    if (error != 0) fail_with("pthread_create", error);
    pthread_barrier_wait(&is_prepared);
    prepare_window(&window, WARM_UP, plan->seconds);
    window.further_calls = &calls_of_poller;
    for (int i = 0; i < plan->connections; i++) ask(&connections[i]);
    while (window_goes_on(&window)) {
        struct letter letter = next_letter(&mailbox);
        if (!receive(letter)) continue;
        window.units++;
        ask(&connections[letter.connection]);
    }
    print_window(&window);
}
