// The readiness queue by epoll(7), and its wake-up by eventfd(2).
#include "Backend.h"

#if SOCKEYE_HAS_EPOLL

#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

// epoll_wait(2) writes to the caller's events directly, so their layout and flags must be epoll's.
_Static_assert(sizeof(struct sockeye_event) == sizeof(struct epoll_event), "the layout is epoll's");
_Static_assert(offsetof(struct sockeye_event, token) == offsetof(struct epoll_event, data), "the layout is epoll's");
_Static_assert(EPOLLIN == 0x001 && EPOLLOUT == 0x004 && EPOLLERR == 0x008, "the flags are epoll's");
_Static_assert(EPOLLHUP == 0x010 && EPOLLRDHUP == 0x2000, "the flags are epoll's");

const char *const sockeye_queue_open_name = "epoll_create1";
const char *const sockeye_queue_wakeup_name = "eventfd";
const char *const sockeye_queue_watch_name = "epoll_ctl";

int32_t sockeye_queue_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int32_t add(int32_t queue, int32_t descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events | EPOLLET, .data = {.u64 = token}};
    return epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : sockeye_last_error();
}

// The counter of the eventfd is never read: every write to it is a new edge.
int32_t sockeye_queue_open_wakeup(int32_t queue) {
    int32_t wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wakeup < 0) {
        return -1;
    }
    int32_t error = add(queue, wakeup, EPOLLIN, 0);
    if (error == 0) {
        return wakeup;
    }
    close(wakeup);
    sockeye_set_last_error(error);
    return -1;
}

int32_t sockeye_queue_watch(int32_t queue, int32_t descriptor, uint64_t token) {
    return add(queue, descriptor, EPOLLIN | EPOLLOUT | EPOLLRDHUP, token);
}

void sockeye_queue_unwatch(int32_t queue, int32_t descriptor) { epoll_ctl(queue, EPOLL_CTL_DEL, descriptor, NULL); }

int32_t sockeye_queue_wait(int32_t queue, struct sockeye_event *events, int32_t capacity, int32_t milliseconds) {
    return epoll_wait(queue, (struct epoll_event *)(void *)events, capacity, milliseconds);
}

void sockeye_queue_wake(int32_t queue, int32_t wakeup) {
    (void)queue;
    eventfd_write(wakeup, 1);
}

void sockeye_queue_close(int32_t queue, int32_t wakeup) {
    close(queue);
    if (wakeup >= 0) {
        close(wakeup);
    }
}

#endif
