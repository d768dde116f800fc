// A download of 1 GiB on one connection, without keeping it:
//
//   epoll           recv into 256 KiB until the socket is empty, then wait
//   epoll-mark      the same with SO_RCVLOWAT of 192 KiB, as Sockeye does with fast bodies
//   ring            one recv of 256 KiB after the other
//   ring-mark       the same with SO_RCVLOWAT
//   ring-multishot  one multishot recv into provided buffers of 64 KiB
//   ring-bundle     the same, with several filled buffers for each completion (Linux 6.10)
//   ring-bundle-mark  the same with SO_RCVLOWAT
#define _GNU_SOURCE
#include "clients.h"
#include "ring.h"
#include "window.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { BUFFER = 256 << 10, MARK = 192 << 10, PROVIDED = 64, PROVIDED_SIZE = 64 << 10 };

static const char request[] = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
static char buffer[BUFFER];
static struct window window;
static bool has_mark;

static void set_mark(int fd, int bytes) {
    calls++;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes) != 0) fail_with("SO_RCVLOWAT", errno);
}

// Counts the body's bytes, and removes the mark before the rest could be smaller than it. Returns true at the end.
static bool take(int fd, size_t count) {
    window.units += count;
    if (window.units > GIBIBYTE) fail("bytes follow the body");
    if (has_mark && GIBIBYTE - window.units <= 2 * MARK) {
        has_mark = false;
        set_mark(fd, 1);
    }
    return window.units == GIBIBYTE;
}

// Sends the request and reads the head with the bytes that arrive with it. The window is open from the request on.
static void begin(int fd) {
    char head[4096];
    size_t held = 0, length = 0;
    uint64_t content_length;
    prepare_window(&window, 0, 0);
    open_window(&window);
    if (send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != sizeof request - 1) fail_with("send", errno);
    while (length == 0) {
        ssize_t count = recv(fd, head + held, 512, 0);
        if (count < 0 && errno == EAGAIN) continue;
        if (count <= 0 || held > sizeof head - 1024) fail("the head does not end");
        held += (size_t)count;
        length = head_length(head, held, &content_length);
    }
    if (content_length != GIBIBYTE) fail("the body has another length than expected");
    if (has_mark) set_mark(fd, MARK);
    take(fd, held - length);
}

static void by_epoll(int fd) {
    struct epoll_event event;
    int epoll = make_epoll();
    watch(epoll, fd, EPOLLIN | EPOLLRDHUP | EPOLLET, 0);
    begin(fd);
    while (true) {
        long count = counted_receive(fd, buffer, sizeof buffer);
        if (count >= 0 && take(fd, (size_t)count)) return;
        // A short read has emptied the socket; the next bytes cause an edge.
        if (count < (long)sizeof buffer) counted_wait(epoll, &event, 1, -1);
    }
}

static void begin_receive(struct ring *ring, bool is_multishot, bool is_bundle) {
    struct io_uring_sqe *entry = new_entry(ring, IORING_OP_RECV, 0);
    entry->flags = IOSQE_FIXED_FILE;
    if (is_multishot) {
        entry->flags |= IOSQE_BUFFER_SELECT;
        entry->ioprio = IORING_RECV_MULTISHOT | (is_bundle ? RECVSEND_BUNDLE : 0);
    } else {
        entry->addr = (uint64_t)buffer;
        entry->len = sizeof buffer;
    }
}

// Returns the buffers that `count` bytes have filled, in order from `first` on.
static void give_back(struct buffers *buffers, unsigned first, size_t count) {
    for (size_t given = 0; given < count; given += PROVIDED_SIZE) return_buffer(buffers, first++ % PROVIDED);
}

static void by_ring(int fd, bool is_multishot, bool is_bundle) {
    struct ring ring;
    struct buffers buffers;
    make_ring(&ring, 64, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
    register_descriptors(&ring, &fd, 1);
    register_itself(&ring);
    provide_buffers(&ring, &buffers, PROVIDED, PROVIDED_SIZE);
    begin(fd);
    begin_receive(&ring, is_multishot, is_bundle);
    bool is_complete = false;
    while (!is_complete) {
        struct io_uring_cqe completion;
        submit_and_wait(&ring);
        while (take_completion(&ring, &completion)) {
            int result = completion.res;
            window.completions++;
            // Without a free buffer the multishot recv has ended, and is started again.
            if (result <= 0 && result != -ENOBUFS) fail_with("recv", -result);
            if (result > 0 && is_multishot) {
                give_back(&buffers, completion.flags >> IORING_CQE_BUFFER_SHIFT, (size_t)result);
            }
            if (result > 0) is_complete = take(fd, (size_t)result);
            if (!(completion.flags & IORING_CQE_F_MORE) && !is_complete) begin_receive(&ring, is_multishot, is_bundle);
        }
        if (is_multishot) publish_buffers(&buffers);
    }
}

void download(const struct plan *plan) {
    const char *flavour = plan->flavour;
    bool has_epoll = strncmp(flavour, "epoll", 5) == 0, is_bundle = strncmp(flavour, "ring-bundle", 11) == 0;
    has_mark = strstr(flavour, "-mark") != NULL;
    int fd = open_connection(plan->port, !has_epoll);
    if (has_epoll) {
        by_epoll(fd);
    } else {
        by_ring(fd, is_bundle || strcmp(flavour, "ring-multishot") == 0, is_bundle);
    }
    print_window(&window);
}
