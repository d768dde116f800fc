// The table of queues by descriptor, and the functions close and shutdown. In a program with the model they take the
// place of the C library's functions, because both calls change the notes of descriptors:
// - "Calling close() on a file descriptor will remove any kevents that reference the descriptor" (kqueue(2)). Linux
//   removes them only with the last descriptor of an open file.
// - A socket whose writing direction was shut down is an event of EVFILT_WRITE with EV_EOF. Linux has no such edge.
// They are weak, because the program of `make shortage` has a close of its own.
#define _GNU_SOURCE
#include "KqueueModel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

pthread_mutex_t kqueue_lock = PTHREAD_MUTEX_INITIALIZER;
int kqueue_doorbell = -1;

static struct queue *queues[MOST_DESCRIPTORS];
static int queue_limit;
static atomic_bool has_no_more_to_send[MOST_DESCRIPTORS];

// Runs before `main`, so that a program that counts its descriptors finds the doorbell in every count. A program whose
// standard input is closed must not find the doorbell at its number.
__attribute__((constructor)) static void make_doorbell(void) {
    int descriptor = eventfd(1, EFD_CLOEXEC);
    kqueue_doorbell = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    syscall(SYS_close, descriptor);
}

struct queue *kqueue_of(int descriptor) {
    return descriptor >= 0 && descriptor < MOST_DESCRIPTORS ? queues[descriptor] : NULL;
}

bool cannot_send(int descriptor) { return has_no_more_to_send[descriptor]; }

static int close_number(int descriptor) { return (int)syscall(SYS_close, descriptor); }

static struct queue *make_queue(int descriptor) {
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue) return NULL;
    queue->descriptor = descriptor;
    queue->writers = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = WRITERS};
    if (queue->writers >= 0 && epoll_ctl(descriptor, EPOLL_CTL_ADD, queue->writers, &event) == 0) return queue;
    if (queue->writers >= 0) close_number(queue->writers);
    free(queue);
    return NULL;
}

static void free_queue(struct queue *queue) {
    queues[queue->descriptor] = NULL;
    close_number(queue->writers);
    free(queue->notes);
    free(queue);
}

int kqueue(void) {
    int descriptor = epoll_create1(EPOLL_CLOEXEC);
    if (descriptor < 0) return -1;
    struct queue *queue = descriptor < MOST_DESCRIPTORS ? make_queue(descriptor) : NULL;
    if (!queue) {
        close_number(descriptor);
        errno = EMFILE;
        return -1;
    }
    pthread_mutex_lock(&kqueue_lock);
    // A `close` of the program's own has closed an earlier queue with this number.
    if (queues[descriptor]) free_queue(queues[descriptor]);
    queues[descriptor] = queue;
    if (queue_limit <= descriptor) queue_limit = descriptor + 1;
    pthread_mutex_unlock(&kqueue_lock);
    return descriptor;
}

// Calls `act` for each note of a descriptor.
static void each_note(int descriptor, void (*act)(struct queue *, int, enum direction)) {
    for (int index = 0; index < queue_limit; index++) {
        struct queue *queue = queues[index];
        if (!queue) continue;
        if (note_of(queue, (uintptr_t)descriptor, READING)) act(queue, descriptor, READING);
        if (note_of(queue, (uintptr_t)descriptor, WRITING)) act(queue, descriptor, WRITING);
    }
}

static void tell_writer(struct queue *queue, int descriptor, enum direction direction) {
    if (direction == WRITING) arm(queue, descriptor, direction, EPOLL_CTL_MOD);
}

__attribute__((weak)) int close(int descriptor) {
    if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) {
        pthread_mutex_lock(&kqueue_lock);
        has_no_more_to_send[descriptor] = false;
        each_note(descriptor, delete_note);
        if (queues[descriptor]) free_queue(queues[descriptor]);
        pthread_mutex_unlock(&kqueue_lock);
    }
    return close_number(descriptor);
}

__attribute__((weak)) int shutdown(int descriptor, int how) {
    int result = (int)syscall(SYS_shutdown, descriptor, how);
    if (result == 0 && how != SHUT_RD && descriptor < MOST_DESCRIPTORS) {
        pthread_mutex_lock(&kqueue_lock);
        has_no_more_to_send[descriptor] = true;
        each_note(descriptor, tell_writer);
        pthread_mutex_unlock(&kqueue_lock);
    }
    return result;
}
