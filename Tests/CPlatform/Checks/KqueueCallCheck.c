// Checks the calls, the ends of connections and the user events of the model against FreeBSD's manual page kqueue(2).
#include "Check.h"
#include "Events.h"
#include "Sockets.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void end_of_the_peers_data(void) {
    struct pair pair = tcp_pair();
    int queue = kqueue();
    add(queue, pair.ours, EVFILT_READ);
    write(pair.theirs, "ab", 2);
    shutdown(pair.theirs, SHUT_WR);
    struct kevent event;
    do event = next(queue, EVFILT_READ);
    while (!(event.flags & EV_EOF) && event.filter == EVFILT_READ);
    EXPECT(event.flags & EV_EOF);
    // "It is possible for EOF to be returned while there is still data pending."
    EXPECT(event.data == 2);
    close_pair(pair);
    close(queue);
}

static void own_half_close(void) {
    struct pair pair = tcp_pair();
    int queue = kqueue();
    struct kevent events[4];
    add(queue, pair.ours, EVFILT_READ);
    add(queue, pair.ours, EVFILT_WRITE);
    take(queue, events, 4);
    shutdown(pair.ours, SHUT_WR);
    struct kevent event = next(queue, EVFILT_WRITE);
    EXPECT(event.flags & EV_EOF && event.fflags == 0);
    EXPECT(is_quiet(queue));
    close_pair(pair);
    close(queue);
}

// Both filters report the end of a connection that broke, with its error. The order is not defined.
static void expect_both_ends(int queue) {
    int seen = 0;
    while (seen != 3) {
        struct kevent event = {0};
        if (kevent(queue, NULL, 0, &event, 1, &(struct timespec){5, 0}) != 1) break;
        if (event.flags & EV_EOF && event.fflags != 0) seen |= event.filter == EVFILT_READ ? 1 : 2;
    }
    EXPECT(seen == 3);
}

static void reset_by_the_peer(void) {
    struct pair pair = tcp_pair();
    int queue = kqueue();
    add(queue, pair.ours, EVFILT_READ);
    add(queue, pair.ours, EVFILT_WRITE);
    reset(pair.theirs);
    expect_both_ends(queue);
    close(pair.ours);
    close(queue);
}

static void refused_connection(void) {
    int listener = tcp_listener(), client, queue = kqueue();
    struct pair other = {dup(listener), -1};
    close(listener);
    // The port stays bound, and nothing listens on it.
    shutdown(other.ours, SHUT_RDWR);
    client = tcp_connect(other.ours);
    add(queue, client, EVFILT_READ);
    add(queue, client, EVFILT_WRITE);
    expect_both_ends(queue);
    close(other.ours);
    close(client);
    close(queue);
}

static void established_connection(void) {
    int listener = tcp_listener(), client = socket(AF_INET, SOCK_STREAM, 0), queue = kqueue();
    add(queue, client, EVFILT_READ);
    add(queue, client, EVFILT_WRITE);
    // A socket that is not connected is neither readable nor writable.
    EXPECT(is_quiet(queue));
    close(client);
    client = tcp_connect(listener);
    add(queue, client, EVFILT_WRITE);
    EXPECT(!(next(queue, EVFILT_WRITE).flags & EV_EOF));
    add(queue, listener, EVFILT_READ);
    EXPECT(next(queue, EVFILT_READ).data == 1);
    close(client);
    close(listener);
    close(queue);
}

static void pipes(void) {
    int ends[2], queue = kqueue();
    EXPECT(pipe(ends) == 0);
    add(queue, ends[0], EVFILT_READ);
    write(ends[1], "ab", 2);
    EXPECT(next(queue, EVFILT_READ).data == 2);
    close(ends[1]);
    EXPECT(next(queue, EVFILT_READ).flags & EV_EOF);
    close(ends[0]);
    EXPECT(pipe(ends) == 0);
    add(queue, ends[1], EVFILT_WRITE);
    next(queue, EVFILT_WRITE);
    close(ends[0]);
    EXPECT(next(queue, EVFILT_WRITE).flags & EV_EOF);
    close(ends[1]);
    close(queue);
}

static void closed_descriptor(void) {
    struct pair pair = socket_pair();
    int queue = kqueue(), copy = dup(pair.ours);
    add(queue, pair.ours, EVFILT_READ);
    write(pair.theirs, "a", 1);
    close(pair.ours);
    EXPECT(is_quiet(queue));
    // The number may be reused for a descriptor that is not watched.
    EXPECT(dup(copy) == pair.ours);
    EXPECT(is_quiet(queue));
    EXPECT(change(queue, pair.ours, EVFILT_READ, EV_DELETE, 0, 0, NULL) == -1 && errno == ENOENT);
    EXPECT(add(queue, pair.ours, EVFILT_READ) == 0);
    next(queue, EVFILT_READ);
    close(copy);
    close_pair(pair);
    close(queue);
}

static void closed_queue(void) {
    int before = open_descriptors(), queue = kqueue();
    change(queue, 1, EVFILT_USER, EV_ADD, NOTE_TRIGGER, 0, NULL);
    close(queue);
    EXPECT(open_descriptors() == before);
    EXPECT(is_quiet(queue) == 0 && errno == EBADF);
}

static void user_event(void) {
    int queue = kqueue(), marker;
    EXPECT(change(queue, 3, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, &marker) == 0);
    EXPECT(is_quiet(queue));
    change(queue, 3, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    change(queue, 3, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    struct kevent event = next(queue, EVFILT_USER);
    EXPECT(event.ident == 3 && event.udata == &marker);
    EXPECT(is_quiet(queue));
    change(queue, 3, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    next(queue, EVFILT_USER);
    EXPECT(change(queue, 4, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL) == -1 && errno == ENOENT);
    EXPECT(change(queue, 3, EVFILT_USER, EV_DELETE, 0, 0, NULL) == 0);
    EXPECT(change(queue, 3, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL) == -1 && errno == ENOENT);
    close(queue);
}

static void user_event_without_clear(void) {
    int queue = kqueue();
    change(queue, 0, EVFILT_USER, EV_ADD, 0, 0, NULL);
    change(queue, 0, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    next(queue, EVFILT_USER);
    next(queue, EVFILT_USER);
    close(queue);
}

static atomic_int waiting;

static void *wait_for_one(void *queue) {
    struct kevent event;
    atomic_fetch_add(&waiting, 1);
    int count = kevent(*(int *)queue, NULL, 0, &event, 1, NULL);
    return (void *)(intptr_t)(count == 1 ? -event.filter : 0);
}

static void two_waits(void) {
    int queue = kqueue();
    struct pair pair = socket_pair();
    pthread_t threads[2];
    void *results[2];
    add(queue, pair.ours, EVFILT_READ);
    change(queue, 1, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
    atomic_store(&waiting, 0);
    for (int index = 0; index < 2; index++) pthread_create(&threads[index], NULL, wait_for_one, &queue);
    while (atomic_load(&waiting) < 2) sched_yield();
    // The data and the trigger end one wait each, whether or not the threads wait already.
    write(pair.theirs, "a", 1);
    change(queue, 1, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    for (int index = 0; index < 2; index++) pthread_join(threads[index], &results[index]);
    EXPECT((intptr_t)results[0] + (intptr_t)results[1] == -EVFILT_READ - EVFILT_USER);
    EXPECT(is_quiet(queue));
    close_pair(pair);
    close(queue);
}

static long long milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static void timeouts(void) {
    int queue = kqueue();
    struct kevent event;
    long long start = milliseconds();
    EXPECT(kevent(queue, NULL, 0, &event, 1, &(struct timespec){0, 20000000}) == 0);
    EXPECT(milliseconds() - start >= 19);
    // "When nevents is zero, kevent() will return immediately even if there is a timeout specified."
    EXPECT(kevent(queue, NULL, 0, NULL, 0, NULL) == 0);
    EXPECT(kevent(queue, NULL, 0, &event, 1, &(struct timespec){0, 1000000000}) == -1 && errno == EINVAL);
    EXPECT(kevent(queue, NULL, 0, &event, 1, &(struct timespec){-1, 0}) == -1 && errno == EINVAL);
    close(queue);
}

static void failed_changes(void) {
    int queue = kqueue(), closed = dup(queue);
    struct kevent changes[2], events[2];
    close(closed);
    EXPECT(add(queue, closed, EVFILT_READ) == -1 && errno == EBADF);
    EXPECT(add(closed, 0, EVFILT_READ) == -1 && errno == EBADF);
    EXPECT(add(queue, 0, -100) == -1 && errno == EINVAL);
    // If there is room for events, an error is an event, and the remaining changes are applied.
    EV_SET(&changes[0], closed, EVFILT_READ, EV_ADD, 0, 0, NULL);
    EV_SET(&changes[1], 1, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
    EXPECT(kevent(queue, changes, 2, events, 2, NULL) == 1);
    EXPECT(events[0].flags & EV_ERROR && events[0].data == EBADF && events[0].ident == (uintptr_t)closed);
    EXPECT(change(queue, 1, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL) == 0);
    // The changes and the events may use the same memory.
    EV_SET(&changes[0], closed, EVFILT_READ, EV_ADD, 0, 0, NULL);
    EV_SET(&changes[1], 1, EVFILT_USER, EV_DELETE, 0, 0, NULL);
    EXPECT(kevent(queue, changes, 2, changes, 2, NULL) == 1);
    EXPECT(change(queue, 1, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL) == -1 && errno == ENOENT);
    close(queue);
}

static const struct check checks[] = {
    {"the end of the peer's data is EV_EOF, while data may be pending", end_of_the_peers_data},
    {"a writing direction that was shut down is EV_EOF of EVFILT_WRITE only", own_half_close},
    {"a reset is EV_EOF of both filters", reset_by_the_peer},
    {"a refused connection is EV_EOF of both filters", refused_connection},
    {"a connection that is established is writable", established_connection},
    {"the ends of a pipe", pipes},
    {"closing a descriptor removes its events", closed_descriptor},
    {"closing a queue closes all of its descriptors", closed_queue},
    {"a user event ends a wait once for several triggers", user_event},
    {"a user event without EV_CLEAR lasts", user_event_without_clear},
    {"one of two waiting threads takes an event", two_waits},
    {"a wait lasts as long as its timeout", timeouts},
    {"a failed change is an error, or an event with EV_ERROR", failed_changes},
};

int main(void) { return CHECK_ALL("kqueue model: calls", checks); }
