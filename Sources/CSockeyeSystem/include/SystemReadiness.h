// The kernel's readiness queue, edge-triggered: epoll(7) in epoll.c, or kqueue(2) in kqueue.c.
#ifndef SOCKEYE_SYSTEM_READINESS_H
#define SOCKEYE_SYSTEM_READINESS_H

#include <stdbool.h>
#include <stdint.h>

// The flags of an edge. Their values are those of epoll(7), so that epoll's events need no conversion.
static const uint32_t sockeye_ready_read = 0x001;
static const uint32_t sockeye_ready_write = 0x004;
// The connection broke: both directions are ready, and the next call reports the error.
static const uint32_t sockeye_ready_error = 0x008;
// Both directions have ended.
static const uint32_t sockeye_ready_hang_up = 0x010;
// The peer will send no more.
static const uint32_t sockeye_ready_end = 0x2000;

// An edge of a descriptor. It has the layout of epoll's events, which are packed on x86-64 only.
struct sockeye_event {
    // A combination of the sockeye_ready_… flags.
    uint32_t flags;
    // The token of sockeye_queue_watch; 0 for the queue's own wake-up.
    uint64_t token;
#ifdef __x86_64__
} __attribute__((packed));
#else
};
#endif

// Opens a queue. Negative on failure.
int32_t sockeye_queue_open(void);

// Prepares the queue's wake-up. Its events have token 0. Returns the descriptor for sockeye_queue_wake: an
// eventfd(2), or `queue` itself with kqueue(2). Negative on failure; the caller then closes the queue.
int32_t sockeye_queue_open_wakeup(int32_t queue);

// Starts reporting every edge of a descriptor in both directions, until the descriptor is closed. The next wait reports
// the present state. `token` must not be 0. Returns 0 or the error.
//
// One descriptor may have two events in one wait, one for each direction; callers merge them.
int32_t sockeye_queue_watch(int32_t queue, int32_t descriptor, uint64_t token);

// Stops reporting the edges of a descriptor. Needed before the descriptor is closed if a duplicate of it stays open:
// epoll(7) ends a registration by itself only when the last descriptor of the open file is closed.
void sockeye_queue_unwatch(int32_t queue, int32_t descriptor);

// Waits for edges up to `milliseconds`, or indefinitely with -1. Returns the number of edges written to `events`, at
// most `capacity`; 0 if the time has passed; -1 on failure, with the error in sockeye_last_error(), such as
// sockeye_error_interrupted.
//
// Several threads may wait on the same queue: the kernel gives each edge to one of them.
int32_t sockeye_queue_wait(int32_t queue, struct sockeye_event *events, int32_t capacity, int32_t milliseconds);

// Ends the current wait, or the next one, with an event of token 0. Callable from any thread. Several wake-ups may
// cause one event.
void sockeye_queue_wake(int32_t queue, int32_t wakeup);

// Closes the queue and its wake-up; a negative `wakeup` is ignored.
void sockeye_queue_close(int32_t queue, int32_t wakeup);

// The system's names of these calls, such as "epoll_create1", for error texts.
extern const char *const sockeye_queue_open_name;
extern const char *const sockeye_queue_wakeup_name;
extern const char *const sockeye_queue_watch_name;

#endif
