// The readiness queue by kqueue(2), for Darwin and FreeBSD. Tests run it on Linux, over a simulation of kqueue.
#include "Backend.h"

#if SOCKEYE_HAS_KQUEUE

#include <fcntl.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/event.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(void *) == sizeof(uint64_t), "a token fits into udata");

const char *const sockeye_queue_open_name = "kqueue";
const char *const sockeye_queue_wakeup_name = "kevent (EVFILT_USER)";
const char *const sockeye_queue_watch_name = "kevent";

// The identifier of the wake-up's user event.
enum { WAKEUP = 0 };

int32_t sockeye_queue_open(void) {
    int queue = kqueue();
    if (queue >= 0) {
        fcntl(queue, F_SETFD, FD_CLOEXEC);
    }
    return queue;
}

// A user event needs no descriptor of its own. EV_CLEAR resets it after each delivery.
int32_t sockeye_queue_open_wakeup(int32_t queue) {
    struct kevent change;
    EV_SET(&change, WAKEUP, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
    return kevent(queue, &change, 1, NULL, 0, NULL) == 0 ? queue : -1;
}

int32_t sockeye_queue_watch(int32_t queue, int32_t descriptor, uint64_t token) {
    struct kevent changes[2];
    void *data = (void *)(uintptr_t)token;
    EV_SET(&changes[0], descriptor, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0, data);
    EV_SET(&changes[1], descriptor, EVFILT_WRITE, EV_ADD | EV_CLEAR, 0, 0, data);
    return kevent(queue, changes, 2, NULL, 0, NULL) == 0 ? 0 : errno;
}

void sockeye_queue_unwatch(int32_t queue, int32_t descriptor) {
    struct kevent changes[2];
    EV_SET(&changes[0], descriptor, EVFILT_READ, EV_DELETE, 0, 0, NULL);
    EV_SET(&changes[1], descriptor, EVFILT_WRITE, EV_DELETE, 0, 0, NULL);
    kevent(queue, changes, 2, NULL, 0, NULL);
}

// EV_EOF of the write filter is ignored, because it also follows this side's own shutdown(2) of the writing direction.
// If the connection breaks, the read filter reports EV_EOF as well.
static uint32_t flags_of(const struct kevent *event) {
    if (event->filter == EVFILT_WRITE) {
        return sockeye_ready_write;
    }
    uint32_t flags = sockeye_ready_read;
    if (event->flags & EV_EOF) {
        flags |= sockeye_ready_end;
        // The error of the socket, if any.
        flags |= event->fflags != 0 ? sockeye_ready_error : 0;
    }
    return flags;
}

// The most events of one call. On FreeBSD they take 16 KiB of stack.
enum { BATCH = 256 };

int32_t sockeye_queue_wait(int32_t queue, struct sockeye_event *events, int32_t capacity, int32_t milliseconds) {
    struct kevent found[BATCH];
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    int count = kevent(queue, NULL, 0, found, capacity < BATCH ? capacity : BATCH, milliseconds < 0 ? NULL : &limit);
    for (int index = 0; index < count; index++) {
        events[index].flags = flags_of(&found[index]);
        events[index].token = (uint64_t)(uintptr_t)found[index].udata;
    }
    return count;
}

void sockeye_queue_wake(int32_t queue, int32_t wakeup) {
    (void)wakeup;
    struct kevent change;
    EV_SET(&change, WAKEUP, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    kevent(queue, &change, 1, NULL, 0, NULL);
}

void sockeye_queue_close(int32_t queue, int32_t wakeup) {
    (void)wakeup;
    close(queue);
}

#endif
