#include "Events.h"

#include "Check.h"

#include <stddef.h>

int change(int queue, int ident, int filter, int flags, unsigned fflags, int64_t data, void *udata) {
    struct kevent event;
    EV_SET(&event, ident, (short)filter, (unsigned short)flags, fflags, data, udata);
    return kevent(queue, &event, 1, NULL, 0, NULL);
}

int add(int queue, int ident, int filter) { return change(queue, ident, filter, EV_ADD | EV_CLEAR, 0, 0, NULL); }

int take(int queue, struct kevent *events, int room) {
    return kevent(queue, NULL, 0, events, room, &(struct timespec){0, 0});
}

struct kevent next(int queue, int filter) {
    struct kevent event = {0};
    EXPECT(kevent(queue, NULL, 0, &event, 1, &(struct timespec){5, 0}) == 1);
    EXPECT(event.filter == filter);
    return event;
}

int is_quiet(int queue) {
    struct kevent event;
    return take(queue, &event, 1) == 0;
}
