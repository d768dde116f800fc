// Checks the filters of the model against FreeBSD's manual page kqueue(2).
#include "Check.h"
#include "Events.h"
#include "Sockets.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static void ready_when_added(void) {
    struct pair pair = socket_pair();
    int queue = kqueue(), marker;
    write(pair.theirs, "abc", 3);
    EXPECT(change(queue, pair.ours, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0, &marker) == 0);
    struct kevent event = next(queue, EVFILT_READ);
    EXPECT(event.ident == (uintptr_t)pair.ours);
    EXPECT(event.udata == &marker);
    EXPECT(event.data == 3);
    EXPECT(!(event.flags & EV_EOF));
    close_pair(pair);
    close(queue);
}

static void cleared_after_delivery(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    add(queue, pair.ours, EVFILT_READ);
    write(pair.theirs, "a", 1);
    next(queue, EVFILT_READ);
    EXPECT(is_quiet(queue));
    write(pair.theirs, "b", 1);
    EXPECT(next(queue, EVFILT_READ).data == 2);
    EXPECT(is_quiet(queue));
    close_pair(pair);
    close(queue);
}

static void level_without_clear(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    char byte;
    change(queue, pair.ours, EVFILT_READ, EV_ADD, 0, 0, NULL);
    write(pair.theirs, "a", 1);
    next(queue, EVFILT_READ);
    next(queue, EVFILT_READ);
    read(pair.ours, &byte, 1);
    EXPECT(is_quiet(queue));
    close_pair(pair);
    close(queue);
}

static void several_arrivals_are_one_event(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    struct kevent events[4];
    add(queue, pair.ours, EVFILT_READ);
    for (int index = 0; index < 3; index++) write(pair.theirs, "a", 1);
    EXPECT(take(queue, events, 4) == 1);
    EXPECT(events[0].data == 3);
    close_pair(pair);
    close(queue);
}

static void event_gone_before_delivery(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    char byte;
    add(queue, pair.ours, EVFILT_READ);
    write(pair.theirs, "a", 1);
    read(pair.ours, &byte, 1);
    EXPECT(is_quiet(queue));
    close_pair(pair);
    close(queue);
}

static void one_event_for_each_filter(void) {
    struct pair pair = socket_pair();
    int queue = kqueue(), reads, writes;
    struct kevent changes[2], events[4];
    EV_SET(&changes[0], pair.ours, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0, &reads);
    EV_SET(&changes[1], pair.ours, EVFILT_WRITE, EV_ADD | EV_CLEAR, 0, 0, &writes);
    write(pair.theirs, "a", 1);
    EXPECT(kevent(queue, changes, 2, events, 4, &(struct timespec){0, 0}) == 2);
    EXPECT(events[0].udata == (events[0].filter == EVFILT_READ ? &reads : &writes));
    EXPECT(events[1].udata == (events[1].filter == EVFILT_READ ? &reads : &writes));
    EXPECT(events[0].filter != events[1].filter);
    close_pair(pair);
    close(queue);
}

static void data_does_not_make_writable(void) {
    struct pair pair = tcp_pair();
    int queue = kqueue();
    add(queue, pair.ours, EVFILT_READ);
    add(queue, pair.ours, EVFILT_WRITE);
    struct kevent events[4];
    take(queue, events, 4);
    write(pair.theirs, "a", 1);
    next(queue, EVFILT_READ);
    EXPECT(is_quiet(queue));
    close_pair(pair);
    close(queue);
}

static void writable_again(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    add(queue, pair.ours, EVFILT_WRITE);
    next(queue, EVFILT_WRITE);
    fill(pair.ours);
    EXPECT(is_quiet(queue));
    drain(pair.theirs);
    EXPECT(!(next(queue, EVFILT_WRITE).flags & EV_EOF));
    close_pair(pair);
    close(queue);
}

static void deleted(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    add(queue, pair.ours, EVFILT_READ);
    add(queue, pair.ours, EVFILT_WRITE);
    write(pair.theirs, "a", 1);
    EXPECT(change(queue, pair.ours, EVFILT_READ, EV_DELETE, 0, 0, NULL) == 0);
    next(queue, EVFILT_WRITE);
    EXPECT(is_quiet(queue));
    EXPECT(change(queue, pair.ours, EVFILT_READ, EV_DELETE, 0, 0, NULL) == -1 && errno == ENOENT);
    close_pair(pair);
    close(queue);
}

static void added_again(void) {
    struct pair pair = socket_pair();
    int queue = kqueue(), first, second;
    struct kevent events[4];
    change(queue, pair.ours, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0, &first);
    write(pair.theirs, "a", 1);
    next(queue, EVFILT_READ);
    // Adding the event again replaces its parameters, makes no second entry, and reports the ready descriptor.
    EXPECT(change(queue, pair.ours, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0, &second) == 0);
    EXPECT(take(queue, events, 4) == 1);
    EXPECT(events[0].udata == &second);
    close_pair(pair);
    close(queue);
}

static void delivered_once(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    change(queue, pair.ours, EVFILT_READ, EV_ADD | EV_ONESHOT, 0, 0, NULL);
    write(pair.theirs, "a", 1);
    next(queue, EVFILT_READ);
    write(pair.theirs, "a", 1);
    EXPECT(is_quiet(queue));
    EXPECT(change(queue, pair.ours, EVFILT_READ, EV_DELETE, 0, 0, NULL) == -1 && errno == ENOENT);
    close_pair(pair);
    close(queue);
}

static void low_water_mark(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    change(queue, pair.ours, EVFILT_READ, EV_ADD | EV_CLEAR, NOTE_LOWAT, 3, NULL);
    write(pair.theirs, "ab", 2);
    EXPECT(is_quiet(queue));
    write(pair.theirs, "c", 1);
    EXPECT(next(queue, EVFILT_READ).data == 3);
    close_pair(pair);
    close(queue);
}

static void end_below_the_low_water_mark(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    change(queue, pair.ours, EVFILT_READ, EV_ADD | EV_CLEAR, NOTE_LOWAT, 3, NULL);
    write(pair.theirs, "ab", 2);
    shutdown(pair.theirs, SHUT_WR);
    struct kevent event = next(queue, EVFILT_READ);
    EXPECT(event.data == 2);
    EXPECT(event.flags & EV_EOF);
    close_pair(pair);
    close(queue);
}

static void limited_room(void) {
    struct pair pair = socket_pair();
    int queue = kqueue();
    struct kevent event;
    add(queue, pair.ours, EVFILT_READ);
    add(queue, pair.ours, EVFILT_WRITE);
    change(queue, 7, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
    change(queue, 8, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
    write(pair.theirs, "a", 1);
    change(queue, 7, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    change(queue, 8, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    int filters[12] = {0};
    for (int index = 0; index < 4; index++) {
        EXPECT(take(queue, &event, 1) == 1);
        filters[-event.filter]++;
    }
    EXPECT(filters[-EVFILT_READ] == 1 && filters[-EVFILT_WRITE] == 1 && filters[-EVFILT_USER] == 2);
    EXPECT(is_quiet(queue));
    close_pair(pair);
    close(queue);
}

static const struct check checks[] = {
    {"a descriptor that is ready when it is added is an event", ready_when_added},
    {"with EV_CLEAR only news is an event", cleared_after_delivery},
    {"without EV_CLEAR the event lasts as long as the state", level_without_clear},
    {"several arrivals are one event", several_arrivals_are_one_event},
    {"an event that no longer holds is not delivered", event_gone_before_delivery},
    {"each filter of a descriptor has its own event and udata", one_event_for_each_filter},
    {"an arrival of data is no event of EVFILT_WRITE", data_does_not_make_writable},
    {"room in the send buffer is an event", writable_again},
    {"a deleted event is not delivered", deleted},
    {"adding an event again replaces its parameters", added_again},
    {"an event with EV_ONESHOT is delivered once", delivered_once},
    {"NOTE_LOWAT sets the number of bytes", low_water_mark},
    {"the end is an event below the low-water mark, too", end_below_the_low_water_mark},
    {"events without room are delivered by the next call", limited_room},
};

int main(void) { return CHECK_ALL("kqueue model: filters", checks); }
