// The shared declarations of the model's files. A queue is an epoll descriptor, under whose number the model keeps its
// notes.
#ifndef KQUEUE_MODEL_H
#define KQUEUE_MODEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/event.h>

enum { MOST_DESCRIPTORS = 1 << 16, MOST_USER_NOTES = 4 };

enum direction { READING, WRITING };

// The interest of a queue in an event (a knote of the manual page).
struct note {
    bool exists;
    unsigned short flags;
    unsigned int fflags;
    int64_t data;
    void *udata;
    // Distinguishes this note from an earlier one of the same descriptor, or one of another descriptor with the same
    // number.
    uint32_t serial;
};

struct user_note {
    struct note note;
    uintptr_t ident;
    bool triggered;
};

// A descriptor can be only once in an epoll set, and its two filters need edges of their own: an arrival of data is no
// event of EVFILT_WRITE. The queue's own epoll set watches descriptors for reading, and a second set, `writers`,
// watches them for writing.
struct queue {
    int descriptor;
    int writers;
    // Indexed by the number of the watched descriptor.
    struct note (*notes)[2];
    size_t capacity;
    struct user_note users[MOST_USER_NOTES];
};

// Guards the queues and their notes. It is not held during a wait.
extern pthread_mutex_t kqueue_lock;
// The queue of a descriptor; NULL if the descriptor is not a queue.
struct queue *kqueue_of(int descriptor);

// A descriptor that is always readable. Arming it in a queue ends the queue's wait, so that a user event needs no
// descriptor of its own.
extern int kqueue_doorbell;

// The values of epoll_event.data.u64 other than a descriptor with the serial of its note.
#define DOORBELL UINT64_C(0xFFFFFFFF)
#define WRITERS UINT64_C(0xFFFFFFFE)

// The note of a filter; NULL if the queue has no such note.
struct note *note_of(struct queue *queue, uintptr_t descriptor, enum direction direction);
// Arms a note in the epoll set: if the descriptor is ready, that is an edge. Returns an errno.
int arm(struct queue *queue, int descriptor, enum direction direction, int operation);
void delete_note(struct queue *queue, int descriptor, enum direction direction);
void ring(struct queue *queue);
// Applies one entry of a change list. Returns an errno.
int apply(struct queue *queue, const struct kevent *change);
// Returns true after shutdown(2) of the writing direction.
bool cannot_send(int descriptor);

#endif
