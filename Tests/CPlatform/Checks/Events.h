// Short forms of kevent(2) for the checks.
#ifndef SOCKEYE_CHECK_EVENTS_H
#define SOCKEYE_CHECK_EVENTS_H

#include <stdint.h>
#include <sys/event.h>

// Applies one change.
int change(int queue, int ident, int filter, int flags, unsigned fflags, int64_t data, void *udata);
// Adds a filter of a descriptor with EV_CLEAR.
int add(int queue, int ident, int filter);
// Takes the events that are pending now.
int take(int queue, struct kevent *events, int room);
// Waits up to 5 s for one event of the filter.
struct kevent next(int queue, int filter);
// Returns true if no event is pending.
int is_quiet(int queue);

#endif
