#define _GNU_SOURCE
#include "ring.h"

#include "wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static unsigned acquire(const unsigned *place) { return __atomic_load_n(place, __ATOMIC_ACQUIRE); }
static void release(unsigned *place, unsigned value) { __atomic_store_n(place, value, __ATOMIC_RELEASE); }

static void *map(int fd, size_t size, long offset) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);
    if (memory == MAP_FAILED) fail_with("mmap", errno);
    return memory;
}

static void map_queues(struct ring *ring, const struct io_uring_params *parameters) {
    size_t submissions = parameters->sq_off.array + parameters->sq_entries * sizeof(unsigned);
    size_t completed = parameters->cq_off.cqes + parameters->cq_entries * sizeof(struct io_uring_cqe);
    char *queues = map(ring->fd, submissions > completed ? submissions : completed, IORING_OFF_SQ_RING);
    ring->sq_head = (unsigned *)(queues + parameters->sq_off.head);
    ring->sq_tail = (unsigned *)(queues + parameters->sq_off.tail);
    ring->sq_flags = (unsigned *)(queues + parameters->sq_off.flags);
    ring->cq_head = (unsigned *)(queues + parameters->cq_off.head);
    ring->cq_tail = (unsigned *)(queues + parameters->cq_off.tail);
    ring->sq_mask = parameters->sq_entries - 1;
    ring->cq_mask = parameters->cq_entries - 1;
    ring->completions = (struct io_uring_cqe *)(queues + parameters->cq_off.cqes);
    unsigned *order = (unsigned *)(queues + parameters->sq_off.array);
    for (unsigned i = 0; i < parameters->sq_entries; i++) order[i] = i;
    ring->entries = map(ring->fd, parameters->sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
}

int try_ring(struct ring *ring, unsigned entries, unsigned setup_flags) {
    struct io_uring_params parameters = {
        .flags = setup_flags | IORING_SETUP_CQSIZE, .cq_entries = entries * 4, .sq_thread_idle = 2000};
    *ring = (struct ring){.setup_flags = setup_flags, .enter_flags = IORING_ENTER_GETEVENTS};
    ring->fd = ring->enter_fd = (int)syscall(SYS_io_uring_setup, entries, &parameters);
    if (ring->fd < 0) return errno;
    if (!(parameters.features & IORING_FEAT_SINGLE_MMAP)) fail("the kernel is older than 5.4");
    map_queues(ring, &parameters);
    return 0;
}

void make_ring(struct ring *ring, unsigned entries, unsigned setup_flags) {
    int error = try_ring(ring, entries, setup_flags);
    if (error != 0) fail_with("io_uring_setup", error);
}

static void enroll(struct ring *ring, unsigned what, const void *argument, unsigned count) {
    if (syscall(SYS_io_uring_register, ring->fd, what, argument, count) < 0) fail_with("io_uring_register", errno);
}

void register_descriptors(struct ring *ring, const int *descriptors, unsigned count) {
    enroll(ring, IORING_REGISTER_FILES, descriptors, count);
}

void register_itself(struct ring *ring) {
    struct io_uring_rsrc_update update = {.offset = -1U, .data = (uint64_t)ring->fd};
    enroll(ring, IORING_REGISTER_RING_FDS, &update, 1);
    ring->enter_fd = (int)update.offset;
    ring->enter_flags |= IORING_ENTER_REGISTERED_RING;
}

void register_buffer(struct ring *ring, void *bytes, size_t count) {
    struct iovec vector = {.iov_base = bytes, .iov_len = count};
    enroll(ring, IORING_REGISTER_BUFFERS, &vector, 1);
}

void provide_buffers(struct ring *ring, struct buffers *buffers, unsigned count, unsigned size) {
    size_t length = count * sizeof(struct io_uring_buf);
    void *entries = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *memory = malloc((size_t)count * size);
    if (entries == MAP_FAILED || memory == NULL) fail_with("provided buffers", ENOMEM);
    memset(memory, 1, (size_t)count * size);
    *buffers = (struct buffers){.ring = entries, .memory = memory, .size = size, .count = count};
    struct io_uring_buf_reg registration = {.ring_addr = (uint64_t)entries, .ring_entries = count};
    enroll(ring, IORING_REGISTER_PBUF_RING, &registration, 1);
    for (unsigned i = 0; i < count; i++) return_buffer(buffers, i);
    publish_buffers(buffers);
}

char *buffer_at(const struct buffers *buffers, unsigned index) { return buffers->memory + (size_t)index * buffers->size; }

void return_buffer(struct buffers *buffers, unsigned index) {
    // The tail is stored in the first entry, in bytes that this function does not write.
    struct io_uring_buf *entry = &buffers->ring->bufs[buffers->tail++ & (buffers->count - 1)];
    entry->addr = (uint64_t)buffer_at(buffers, index);
    entry->len = buffers->size;
    entry->bid = (uint16_t)index;
}

void publish_buffers(struct buffers *buffers) { __atomic_store_n(&buffers->ring->tail, buffers->tail, __ATOMIC_RELEASE); }

struct io_uring_sqe *new_entry(struct ring *ring, uint8_t operation, uint64_t name) {
    if (ring->filled - acquire(ring->sq_head) > ring->sq_mask) fail("the submission queue is full");
    struct io_uring_sqe *entry = &ring->entries[ring->filled++ & ring->sq_mask];
    memset(entry, 0, sizeof *entry);
    entry->opcode = operation;
    entry->user_data = name;
    return entry;
}

// Computes the arguments of io_uring_enter; returns false if no call is needed.
static bool needs_call(struct ring *ring, unsigned *count, unsigned *flags, unsigned *wanted) {
    *count = ring->filled - ring->told;
    *flags = ring->enter_flags;
    *wanted = 1;
    if (!(ring->setup_flags & IORING_SETUP_SQPOLL)) return true;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *count = 0;
    bool sleeps = (acquire(ring->sq_flags) & IORING_SQ_NEED_WAKEUP) != 0, has_any = acquire(ring->cq_tail) != *ring->cq_head;
    if (sleeps) *flags |= IORING_ENTER_SQ_WAKEUP;
    if (has_any) *wanted = 0;
    return sleeps || !has_any;
}

void submit_and_wait(struct ring *ring) {
    unsigned count, flags, wanted;
    release(ring->sq_tail, ring->filled);
    if (needs_call(ring, &count, &flags, &wanted)) {
        calls++;
        long taken = syscall(SYS_io_uring_enter, ring->enter_fd, count, wanted, flags, NULL, 0);
        if (taken < 0 && errno != EINTR) fail_with("io_uring_enter", errno);
        if (taken >= 0 && (unsigned)taken != count) fail("io_uring_enter has not taken all entries");
        if (taken < 0) return;
    }
    ring->told = ring->filled;
}

bool take_completion(struct ring *ring, struct io_uring_cqe *taken) {
    unsigned head = *ring->cq_head;
    if (head == acquire(ring->cq_tail)) return false;
    *taken = ring->completions[head & ring->cq_mask];
    release(ring->cq_head, head + 1);
    return true;
}
