// Threads, conditions, clocks and signals.
#ifndef SOCKEYE_SYSTEM_THREADS_H
#define SOCKEYE_SYSTEM_THREADS_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// Starts a detached thread with all signals blocked.
int32_t sockeye_thread_start(void *(*run)(void *argument), void *argument);

// Names the calling thread, as shown by debuggers; at most 15 bytes.
void sockeye_thread_set_name(const char *name);

// The id of the calling thread, unique among running threads; never 0.
static inline uintptr_t sockeye_thread_current(void) { return (uintptr_t)pthread_self(); }

static inline void sockeye_thread_yield(void) { sched_yield(); }

// The number of bytes of stack that the calling thread has left; 0 if unknown.
ptrdiff_t sockeye_stack_left(void);

// A mutex with a condition variable that waits by the monotonic clock.
struct sockeye_condition;

struct sockeye_condition *sockeye_condition_create(void);
void sockeye_condition_free(struct sockeye_condition *condition);
void sockeye_condition_lock(struct sockeye_condition *condition);
void sockeye_condition_unlock(struct sockeye_condition *condition);
void sockeye_condition_wake_one(struct sockeye_condition *condition);
void sockeye_condition_wake_all(struct sockeye_condition *condition);
// Releases the lock, waits until another thread wakes this one or the monotonic clock reaches `nanoseconds`, and takes
// the lock again. True if that time has passed. May return spuriously.
bool sockeye_condition_wait(struct sockeye_condition *condition, int64_t nanoseconds);

// The monotonic clock in nanoseconds.
static inline int64_t sockeye_monotonic_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// The seconds since 1970-01-01T00:00:00Z.
int64_t sockeye_unix_time(void);
// The seconds from 1970-01-01T00:00:00Z to a date in UTC; `month` and `day` count from 1.
int64_t sockeye_unix_time_of(
    int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, int32_t second);

// Blocks SIGPIPE in this thread, before a system call without a flag that suppresses it. Returns the previous state for
// sockeye_pipe_signal_restore.
int32_t sockeye_pipe_signal_block(void);
// Consumes the signal if it `may_have_come` and was not pending before sockeye_pipe_signal_block. Unblocks it unless it
// was blocked before. Keeps sockeye_last_error().
void sockeye_pipe_signal_restore(int32_t state, bool may_have_come);

#endif
