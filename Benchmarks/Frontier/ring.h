// io_uring by its system calls alone, so that nothing has to be installed for it.
#pragma once
#include <linux/io_uring.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Of headers later than Linux 6.1.
#define RECVSEND_BUNDLE (1U << 4)

struct ring {
    int fd;
    // What names the ring to io_uring_enter: its descriptor, or its place among the registered ones.
    int enter_fd;
    unsigned enter_flags, setup_flags;
    unsigned *sq_head, *sq_tail, *sq_flags, *cq_head, *cq_tail;
    unsigned sq_mask, cq_mask;
    // The entries that were filled in, and those that the kernel was told of.
    unsigned filled, told;
    struct io_uring_sqe *entries;
    struct io_uring_cqe *completions;
};

// A ring of provided buffers, all of `size` bytes, in group 0.
struct buffers {
    struct io_uring_buf_ring *ring;
    char *memory;
    unsigned size, count;
    uint16_t tail;
};

// 0, or the error: a ring may be forbidden.
int try_ring(struct ring *ring, unsigned entries, unsigned setup_flags);
void make_ring(struct ring *ring, unsigned entries, unsigned setup_flags);
void register_descriptors(struct ring *ring, const int *descriptors, unsigned count);
// Spares the look-up of the ring's own descriptor in each call.
void register_itself(struct ring *ring);
void register_buffer(struct ring *ring, void *bytes, size_t count);

// `count` is a power of two.
void provide_buffers(struct ring *ring, struct buffers *buffers, unsigned count, unsigned size);
char *buffer_at(const struct buffers *buffers, unsigned index);
// Gives a buffer back; the kernel sees it after `publish_buffers`.
void return_buffer(struct buffers *buffers, unsigned index);
void publish_buffers(struct buffers *buffers);

// An entry of zeros but for its operation and its name.
struct io_uring_sqe *new_entry(struct ring *ring, uint8_t operation, uint64_t name);
// Tells the kernel of all entries and waits for a completion: one system call, but for SQPOLL, which needs none to tell.
void submit_and_wait(struct ring *ring);
// Takes the next completion, whose place is the kernel's again; false where there is none.
bool take_completion(struct ring *ring, struct io_uring_cqe *taken);
