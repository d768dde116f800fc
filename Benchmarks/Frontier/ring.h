// io_uring by system calls only, so that no library has to be installed.
#pragma once
#include <linux/io_uring.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A constant from headers later than Linux 6.1.
#define RECVSEND_BUNDLE (1U << 4)

struct ring {
    int fd;
    // The ring's descriptor for io_uring_enter, or its index among the registered descriptors.
    int enter_fd;
    unsigned enter_flags, setup_flags;
    unsigned *sq_head, *sq_tail, *sq_flags, *cq_head, *cq_tail;
    unsigned sq_mask, cq_mask;
    // The number of filled entries, and the number of entries that were submitted to the kernel.
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

// Makes a ring; returns 0, or an error if rings are forbidden, for example.
int try_ring(struct ring *ring, unsigned entries, unsigned setup_flags);
void make_ring(struct ring *ring, unsigned entries, unsigned setup_flags);
void register_descriptors(struct ring *ring, const int *descriptors, unsigned count);
// Registers the ring's own descriptor, which avoids its look-up in each call.
void register_itself(struct ring *ring);
void register_buffer(struct ring *ring, void *bytes, size_t count);

// Provides buffers; `count` must be a power of two.
void provide_buffers(struct ring *ring, struct buffers *buffers, unsigned count, unsigned size);
char *buffer_at(const struct buffers *buffers, unsigned index);
// Returns a buffer to the ring; the kernel sees it after `publish_buffers`.
void return_buffer(struct buffers *buffers, unsigned index);
void publish_buffers(struct buffers *buffers);

// Returns a new entry that is zero except for its operation and its name.
struct io_uring_sqe *new_entry(struct ring *ring, uint8_t operation, uint64_t name);
// Submits all entries and waits for a completion: one system call. With SQPOLL, submitting needs no call.
void submit_and_wait(struct ring *ring);
// Takes the next completion and frees its slot; returns false without a completion.
bool take_completion(struct ring *ring, struct io_uring_cqe *taken);
