#define _GNU_SOURCE
#include "KqueueModel.h"

#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

enum { BATCH = 256 };

// The events that a call of kevent has collected so far.
struct batch {
    struct kevent *events;
    int count, capacity;
};

static void append(struct batch *batch, const struct note *note, struct kevent event) {
    event.flags |= note->flags;
    event.udata = note->udata;
    batch->events[batch->count++] = event;
}

// The number of bytes that can be read, or of connections that can be accepted.
static int64_t readable(int descriptor) {
    int listens = 0, count = 0;
    socklen_t size = sizeof listens;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens) {
        struct tcp_info info;
        size = sizeof info;
        // Linux counts the connections of a listening socket here.
        return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_unacked : 1;
    }
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

// Returns true for a socket that has not been connected yet. Linux reports a hang-up for it, and FreeBSD no event.
static bool is_unconnected(int descriptor, uint32_t edge) {
    int type;
    socklen_t size = sizeof type;
    return edge & EPOLLHUP && !(edge & (EPOLLRDHUP | EPOLLERR)) &&
        getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

// Writes the event of an edge to `to`. Returns false if the edge is no event, such as
// an arrival of fewer bytes than NOTE_LOWAT asks for.
static bool describe(const struct note *note, int descriptor, enum direction direction, uint32_t edge, struct kevent *to) {
    bool has_ended = edge & (EPOLLHUP | EPOLLERR);
    *to = (struct kevent){.ident = (uintptr_t)descriptor};
    if (is_unconnected(descriptor, edge)) return false;
    if (direction == READING) {
        has_ended = has_ended || edge & EPOLLRDHUP;
        to->filter = EVFILT_READ;
        to->data = readable(descriptor);
        if (!has_ended && note->fflags & NOTE_LOWAT && to->data < note->data) return false;
    } else {
        if (!has_ended && !(edge & EPOLLOUT)) return false;
        has_ended = has_ended || cannot_send(descriptor);
        to->filter = EVFILT_WRITE;
        to->data = 1;
    }
    if (has_ended) {
        to->flags |= EV_EOF;
        to->fflags = edge & EPOLLERR ? EIO : 0;
    }
    return true;
}

static void take_edge(struct queue *queue, const struct epoll_event *edge, enum direction direction, struct batch *batch) {
    int descriptor = (int)(uint32_t)edge->data.u64;
    struct note *note = note_of(queue, (uintptr_t)descriptor, direction);
    // The descriptor was closed, or the note deleted or replaced, after the wait.
    if (!note || note->serial != edge->data.u64 >> 32) return;
    struct kevent event;
    if (!describe(note, descriptor, direction, edge->events, &event)) return;
    append(batch, note, event);
    if (note->flags & EV_ONESHOT)
        delete_note(queue, descriptor, direction);
    else if (!(note->flags & EV_CLEAR))
        arm(queue, descriptor, direction, EPOLL_CTL_MOD);
}

static void take_user_events(struct queue *queue, struct batch *batch) {
    for (int index = 0; index < MOST_USER_NOTES; index++) {
        struct user_note *user = &queue->users[index];
        if (!user->note.exists || !user->triggered) continue;
        if (batch->count == batch->capacity) {
            ring(queue);
            return;
        }
        append(batch, &user->note, (struct kevent){.ident = user->ident, .filter = EVFILT_USER});
        if (user->note.flags & EV_ONESHOT)
            user->note.exists = false;
        else if (user->note.flags & EV_CLEAR)
            user->triggered = false;
        else
            ring(queue);
    }
}

static void take_writers(struct queue *queue, struct batch *batch) {
    struct epoll_event edges[BATCH];
    int room = batch->capacity - batch->count, limit = room < BATCH ? room : BATCH;
    int count = limit ? epoll_wait(queue->writers, edges, limit, 0) : 0;
    for (int index = 0; index < count; index++) take_edge(queue, &edges[index], WRITING, batch);
}

// Takes the edges of reading first. The doorbell and the writers are edges too, so each leaves a place in the batch for
// at least one of its events.
static int take(int descriptor, const struct epoll_event *edges, int count, struct batch *batch) {
    pthread_mutex_lock(&kqueue_lock);
    struct queue *queue = kqueue_of(descriptor);
    bool rang = false, has_writers = false;
    for (int index = 0; queue && index < count; index++) {
        uint64_t value = edges[index].data.u64;
        rang = rang || value == DOORBELL;
        has_writers = has_writers || value == WRITERS;
        if (value != DOORBELL && value != WRITERS) take_edge(queue, &edges[index], READING, batch);
    }
    if (queue && rang) take_user_events(queue, batch);
    if (queue && has_writers) take_writers(queue, batch);
    pthread_mutex_unlock(&kqueue_lock);
    return queue ? 0 : EBADF;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// The rest of a wait in ms, rounded up; -1 without an end.
static int milliseconds(int64_t end) {
    if (end == INT64_MAX) return -1;
    int64_t rest = end - now();
    return rest <= 0 ? 0 : rest / 1000000 >= INT_MAX ? INT_MAX : (int)((rest + 999999) / 1000000);
}

// Waits until there is an event. An edge may prove to be no event, and another thread may have taken it.
static int collect(int descriptor, struct batch *batch, int64_t end) {
    struct epoll_event edges[BATCH];
    int limit = batch->capacity < BATCH ? batch->capacity : BATCH;
    for (;;) {
        int timeout = milliseconds(end), count = epoll_wait(descriptor, edges, limit, timeout);
        if (count < 0) return errno;
        int error = take(descriptor, edges, count, batch);
        if (error || batch->count || timeout == 0) return error;
    }
}

// Applies the changes. A failed change is an event with EV_ERROR if there is room, else the call fails.
static int change(int descriptor, const struct kevent *changes, int count, struct batch *batch) {
    int error = 0;
    pthread_mutex_lock(&kqueue_lock);
    struct queue *queue = kqueue_of(descriptor);
    if (!queue) error = EBADF;
    for (int index = 0; !error && index < count; index++) {
        // Changes and events may be in the same memory.
        struct kevent event = changes[index];
        int failure = apply(queue, &event);
        if (!failure) continue;
        event.flags = EV_ERROR;
        event.data = failure;
        if (batch->count < batch->capacity)
            batch->events[batch->count++] = event;
        else
            error = failure;
    }
    pthread_mutex_unlock(&kqueue_lock);
    return error;
}

int kevent(
    int queue, const struct kevent *changes, int change_count, struct kevent *events, int event_count,
    const struct timespec *timeout) {
    struct batch batch = {events, 0, event_count};
    bool is_wrong = timeout && (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec >= 1000000000);
    int64_t end = timeout && !is_wrong ? now() + timeout->tv_sec * 1000000000LL + timeout->tv_nsec : INT64_MAX;
    int error = is_wrong ? EINVAL : change(queue, changes, change_count, &batch);
    // The call returns at once if there is no room for events, or if a failed change is an event.
    if (!error && event_count > 0 && batch.count == 0) error = collect(queue, &batch, end);
    if (!error) return batch.count;
    errno = error;
    return -1;
}
