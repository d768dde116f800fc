// An upload of 1 GiB on one connection, in pieces of 256 KiB:
//
//   epoll        send until the socket is full, then wait
//   ring         one send after the other, each of which completes when all its bytes are accepted
//   ring-linked  four sends at a time as a chain
//   ring-zc      as ring, by SEND_ZC from a registered buffer: the next send begins when the kernel has accepted the
//                bytes, and at most two wait for their notification
//
// On loopback the kernel copies the bytes of SEND_ZC when it passes them to the receiver; the client reports that.
#define _GNU_SOURCE
#include "clients.h"
#include "ring.h"
#include "window.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { CHUNK = 256 << 10, CHAIN = 4, MOST_UNTOLD = 2 };

static char chunk[CHUNK];
static struct window window;
// Counts of the notifications of SEND_ZC.
static unsigned untold, copied, told;

static void begin(int fd) {
    char head[128];
    memset(chunk, 'x', sizeof chunk);
    prepare_window(&window, 0, 0);
    open_window(&window);
    int length = snprintf(head, sizeof head, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %llu\r\n\r\n", GIBIBYTE);
    if (send(fd, head, (size_t)length, MSG_NOSIGNAL) != length) fail_with("send", errno);
}

// Reads the response, which is the number of received bytes.
static void end(int fd) {
    char answer[256];
    size_t held = 0, head = 0;
    uint64_t length = 0;
    unsigned long long count = 0;
    while (head == 0 || held < head + length) {
        ssize_t received = recv(fd, answer + held, sizeof answer - 1 - held, 0);
        if (received < 0 && errno == EAGAIN) continue;
        if (received <= 0) fail("an answer that does not end");
        held += (size_t)received;
        head = head_length(answer, held, &length);
    }
    answer[held] = 0;
    if (sscanf(answer + head, "%llu", &count) != 1 || count != GIBIBYTE) fail("an upload of another length");
    if (told > 0) fprintf(stderr, "frontier: %u of %u notifications of SEND_ZC tell that the kernel has copied\n", copied, told);
}

static void by_epoll(int fd) {
    struct epoll_event event;
    int epoll = make_epoll();
    watch(epoll, fd, EPOLLOUT | EPOLLET, 0);
    begin(fd);
    while (window.units < GIBIBYTE) {
        size_t offset = window.units % CHUNK;
        long count = counted_send(fd, chunk + offset, CHUNK - offset);
        if (count > 0) window.units += (uint64_t)count;
        if (count < 0) counted_wait(epoll, &event, 1, -1);
    }
}

static void begin_send(struct ring *ring, bool is_linked, bool is_zero_copy) {
    struct io_uring_sqe *entry = new_entry(ring, is_zero_copy ? IORING_OP_SEND_ZC : IORING_OP_SEND, 0);
    entry->flags = (uint8_t)(IOSQE_FIXED_FILE | (is_linked ? IOSQE_IO_LINK : 0));
    entry->addr = (uint64_t)chunk;
    entry->len = CHUNK;
    entry->msg_flags = MSG_NOSIGNAL | MSG_WAITALL;
    if (is_zero_copy) entry->ioprio = IORING_RECVSEND_FIXED_BUF | IORING_SEND_ZC_REPORT_USAGE;
}

// Handles a completion; returns true for that of a chunk, false for a notification.
static bool take(const struct io_uring_cqe *completion) {
    window.completions++;
    if (completion->flags & IORING_CQE_F_NOTIF) {
        untold--;
        told++;
        if ((unsigned)completion->res & IORING_NOTIF_USAGE_ZC_COPIED) copied++;
        return false;
    }
    if (completion->res < 0) fail_with("send", -completion->res);
    if (completion->res != CHUNK) fail("a chunk was sent only partially");
    if (completion->flags & IORING_CQE_F_MORE) untold++;
    window.units += CHUNK;
    return true;
}

static void by_ring(int fd, unsigned chain, bool is_zero_copy) {
    struct ring ring;
    make_ring(&ring, 64, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
    register_descriptors(&ring, &fd, 1);
    register_itself(&ring);
    if (is_zero_copy) register_buffer(&ring, chunk, sizeof chunk);
    begin(fd);
    unsigned under_way = 0;
    while (window.units < GIBIBYTE || untold > 0) {
        if (under_way == 0 && window.units < GIBIBYTE && untold < MOST_UNTOLD) {
            for (; under_way < chain; under_way++) begin_send(&ring, under_way + 1 < chain, is_zero_copy);
        }
        struct io_uring_cqe completion;
        submit_and_wait(&ring);
        while (take_completion(&ring, &completion)) {
            if (take(&completion)) under_way--;
        }
    }
}

void upload(const struct plan *plan) {
    bool has_epoll = strcmp(plan->flavour, "epoll") == 0;
    int fd = open_connection(plan->port, !has_epoll);
    if (has_epoll) {
        by_epoll(fd);
    } else {
        by_ring(fd, strcmp(plan->flavour, "ring-linked") == 0 ? CHAIN : 1, strcmp(plan->flavour, "ring-zc") == 0);
    }
    end(fd);
    print_window(&window);
}
