// A model of kqueue(2) on top of epoll(7), so that the code for Darwin and FreeBSD runs on Linux. Only tests build it.
//
// It holds to FreeBSD's manual page, with these limits:
// - The filters are EVFILT_READ, EVFILT_WRITE and EVFILT_USER. Descriptors are sockets, pipes and others that epoll
//   takes; regular files fail with EPERM.
// - EV_ENABLE, EV_DISABLE, EV_DISPATCH and EV_RECEIPT, and changes of a user event's fflags, fail with EINVAL.
// - `fflags` of an event with EV_EOF is EIO for every error of the socket, because Linux clears the error when it is
//   read.
// - `data` of EVFILT_WRITE is 1. `data` of EVFILT_READ on a listening unix socket is 1.
// - More events than on FreeBSD are possible: Linux reports the end of the peer's data to the writing side, too.
// - SO_RCVLOWAT has an effect only where Linux's poll(2) respects it (TCP).
// - Timeouts are rounded up to milliseconds.
#ifndef SOCKEYE_MODEL_SYS_EVENT_H
#define SOCKEYE_MODEL_SYS_EVENT_H

#include <stdint.h>
#include <time.h>

#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EVFILT_USER (-11)

#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_ENABLE 0x0004
#define EV_DISABLE 0x0008
#define EV_ONESHOT 0x0010
#define EV_CLEAR 0x0020
#define EV_RECEIPT 0x0040
#define EV_DISPATCH 0x0080
#define EV_ERROR 0x4000
#define EV_EOF 0x8000

#define NOTE_LOWAT 0x00000001u
#define NOTE_TRIGGER 0x01000000u

struct kevent {
    uintptr_t ident;
    short filter;
    unsigned short flags;
    unsigned int fflags;
    int64_t data;
    void *udata;
};

#define EV_SET(event, id, filt, flgs, fflgs, dat, udat)                                                              \
    (*(event) = (struct kevent){                                                                                     \
         .ident = (uintptr_t)(id), .filter = (filt), .flags = (flgs), .fflags = (fflgs), .data = (dat), .udata = (udat)})

int kqueue(void);
int kevent(
    int queue, const struct kevent *changes, int change_count, struct kevent *events, int event_count,
    const struct timespec *timeout);

#endif
