#define _GNU_SOURCE
#include "KqueueModel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t last_serial;

struct note *note_of(struct queue *queue, uintptr_t descriptor, enum direction direction) {
    if (descriptor >= queue->capacity) return NULL;
    struct note *note = &queue->notes[descriptor][direction];
    return note->exists ? note : NULL;
}

static int set_of(const struct queue *queue, enum direction direction) {
    return direction == READING ? queue->descriptor : queue->writers;
}

int arm(struct queue *queue, int descriptor, enum direction direction, int operation) {
    struct epoll_event event = {.events = EPOLLET | EPOLLRDHUP | (direction == READING ? EPOLLIN : EPOLLOUT)};
    event.data.u64 = (uint64_t)queue->notes[descriptor][direction].serial << 32 | (uint32_t)descriptor;
    return epoll_ctl(set_of(queue, direction), operation, descriptor, &event) == 0 ? 0 : errno;
}

void delete_note(struct queue *queue, int descriptor, enum direction direction) {
    queue->notes[descriptor][direction].exists = false;
    epoll_ctl(set_of(queue, direction), EPOLL_CTL_DEL, descriptor, NULL);
}

static int make_room(struct queue *queue, size_t descriptor) {
    if (descriptor < queue->capacity) return 0;
    size_t capacity = queue->capacity ? queue->capacity : 64;
    while (capacity <= descriptor) capacity *= 2;
    void *notes = realloc(queue->notes, capacity * sizeof *queue->notes);
    if (!notes) return ENOMEM;
    queue->notes = notes;
    memset(queue->notes + queue->capacity, 0, (capacity - queue->capacity) * sizeof *queue->notes);
    queue->capacity = capacity;
    return 0;
}

static void configure(struct note *note, const struct kevent *change) {
    note->flags = change->flags & (EV_CLEAR | EV_ONESHOT);
    note->fflags = change->fflags;
    note->data = change->data;
    note->udata = change->udata;
}

// Adds a note, or changes the parameters of an existing one. In both cases a ready descriptor is an event.
static int add(struct queue *queue, const struct kevent *change, enum direction direction) {
    if (change->fflags & ~NOTE_LOWAT) return EINVAL;
    int descriptor = (int)change->ident, error = make_room(queue, change->ident);
    if (error) return error;
    struct note *note = &queue->notes[descriptor][direction];
    bool existed = note->exists;
    note->serial = ++last_serial;
    error = arm(queue, descriptor, direction, existed ? EPOLL_CTL_MOD : EPOLL_CTL_ADD);
    // The C library closed the descriptor by itself, such as in fclose(3).
    if (existed && error == ENOENT) error = arm(queue, descriptor, direction, EPOLL_CTL_ADD);
    if (error) return error;
    note->exists = true;
    configure(note, change);
    return 0;
}

static int change_descriptor(struct queue *queue, const struct kevent *change, enum direction direction) {
    if (change->ident >= MOST_DESCRIPTORS) return EBADF;
    if (change->flags & EV_ADD) return add(queue, change, direction);
    if (!note_of(queue, change->ident, direction)) return ENOENT;
    if (change->flags & EV_DELETE) delete_note(queue, (int)change->ident, direction);
    return 0;
}

static struct user_note *user_note_of(struct queue *queue, uintptr_t ident, bool exists) {
    for (int index = 0; index < MOST_USER_NOTES; index++) {
        struct user_note *user = &queue->users[index];
        if (user->note.exists == exists && (!exists || user->ident == ident)) return user;
    }
    return NULL;
}

void ring(struct queue *queue) {
    struct epoll_event event = {.events = EPOLLET | EPOLLIN, .data.u64 = DOORBELL};
    if (epoll_ctl(queue->descriptor, EPOLL_CTL_MOD, kqueue_doorbell, &event) != 0)
        epoll_ctl(queue->descriptor, EPOLL_CTL_ADD, kqueue_doorbell, &event);
}

static int change_user(struct queue *queue, const struct kevent *change) {
    if (change->fflags & ~NOTE_TRIGGER) return EINVAL;
    struct user_note *user = user_note_of(queue, change->ident, true);
    if (!user && change->flags & EV_ADD) {
        user = user_note_of(queue, 0, false);
        if (!user) return ENOMEM;
        *user = (struct user_note){.note.exists = true, .ident = change->ident};
    }
    if (!user) return ENOENT;
    if (change->flags & EV_ADD) configure(&user->note, change);
    if (change->flags & EV_DELETE) user->note.exists = false;
    if (change->fflags & NOTE_TRIGGER) {
        user->triggered = true;
        ring(queue);
    }
    return 0;
}

int apply(struct queue *queue, const struct kevent *change) {
    if (change->flags & ~(EV_ADD | EV_DELETE | EV_CLEAR | EV_ONESHOT)) return EINVAL;
    switch (change->filter) {
    case EVFILT_READ: return change_descriptor(queue, change, READING);
    case EVFILT_WRITE: return change_descriptor(queue, change, WRITING);
    case EVFILT_USER: return change_user(queue, change);
    default: return EINVAL;
    }
}
