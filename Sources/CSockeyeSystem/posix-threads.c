// Threads, conditions, clocks and SIGPIPE, by the calls that all supported systems have.
#include "Backend.h"

#include <signal.h>
#include <stdlib.h>

int32_t sockeye_thread_start(void *(*run)(void *argument), void *argument) {
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    pthread_t thread;
    int error = pthread_create(&thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    if (error == 0) {
        pthread_detach(thread);
    }
    return error;
}

// MARK: Conditions

struct sockeye_condition {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
};

struct sockeye_condition *sockeye_condition_create(void) {
    struct sockeye_condition *condition = malloc(sizeof *condition);
    if (condition == NULL) {
        abort();
    }
    pthread_mutex_init(&condition->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#ifndef __APPLE__
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
    pthread_cond_init(&condition->condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return condition;
}

void sockeye_condition_free(struct sockeye_condition *condition) {
    pthread_cond_destroy(&condition->condition);
    pthread_mutex_destroy(&condition->mutex);
    free(condition);
}

void sockeye_condition_lock(struct sockeye_condition *condition) { pthread_mutex_lock(&condition->mutex); }

void sockeye_condition_unlock(struct sockeye_condition *condition) { pthread_mutex_unlock(&condition->mutex); }

void sockeye_condition_wake_one(struct sockeye_condition *condition) { pthread_cond_signal(&condition->condition); }

void sockeye_condition_wake_all(struct sockeye_condition *condition) { pthread_cond_broadcast(&condition->condition); }

bool sockeye_condition_wait(struct sockeye_condition *condition, int64_t nanoseconds) {
#ifdef __APPLE__
    // Darwin's conditions cannot use the monotonic clock, but can wait for a duration.
    nanoseconds -= sockeye_monotonic_nanoseconds();
#endif
    // pthread_cond_timedwait fails at once with EINVAL for a negative time, and the caller's loop would spin.
    nanoseconds = nanoseconds < 0 ? 0 : nanoseconds;
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
#ifdef __APPLE__
    return pthread_cond_timedwait_relative_np(&condition->condition, &condition->mutex, &limit) == ETIMEDOUT;
#else
    return pthread_cond_timedwait(&condition->condition, &condition->mutex, &limit) == ETIMEDOUT;
#endif
}

// MARK: Clocks

int64_t sockeye_unix_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec;
}

int64_t sockeye_unix_time_of(
    int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, int32_t second) {
    struct tm fields = {
        .tm_year = year - 1900,
        .tm_mon = month - 1,
        .tm_mday = day,
        .tm_hour = hour,
        .tm_min = minute,
        .tm_sec = second,
    };
    return timegm(&fields);
}

// MARK: SIGPIPE

enum { WAS_BLOCKED = 1, WAS_PENDING = 2 };

static sigset_t pipe_signal(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    return set;
}

// Darwin has no sigtimedwait(2).
#ifndef __APPLE__
void sockeye_pipe_signal_consume(void) {
    sigset_t pipe = pipe_signal();
    struct timespec none = {0, 0};
    sigtimedwait(&pipe, NULL, &none);
}
#endif

int32_t sockeye_pipe_signal_block(void) {
    sigset_t pipe = pipe_signal(), previous, pending;
    pthread_sigmask(SIG_BLOCK, &pipe, &previous);
    if (sigismember(&previous, SIGPIPE) != 1) {
        return 0;
    }
    sigpending(&pending);
    return sigismember(&pending, SIGPIPE) == 1 ? WAS_BLOCKED | WAS_PENDING : WAS_BLOCKED;
}

void sockeye_pipe_signal_restore(int32_t state, bool may_have_come) {
    int error = errno;
    if (may_have_come && (state & WAS_PENDING) == 0) {
        sockeye_pipe_signal_consume();
    }
    if ((state & WAS_BLOCKED) == 0) {
        sigset_t pipe = pipe_signal();
        pthread_sigmask(SIG_UNBLOCK, &pipe, NULL);
    }
    errno = error;
}
