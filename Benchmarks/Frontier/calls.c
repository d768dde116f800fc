// Measures the system calls that a ring can avoid. Each call has no effect, so its time is that of entering and leaving
// the kernel with a minimum of work. Prints nanoseconds as a line of JSON.
#define _GNU_SOURCE
#include "clients.h"
#include "ring.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 100000, ROUNDS = 9, KINDS = 6 };

static int quiet, epoll;
static struct ring ring;

static void get_number(void) { syscall(SYS_getppid); }

static void look(void) { counted_look(quiet); }

static void wait_for_nothing(void) {
    struct epoll_event event;
    if (epoll_wait(epoll, &event, 1, 0) != 0) fail("epoll reported an unexpected event");
}

static void enter(void) { syscall(SYS_io_uring_enter, ring.enter_fd, 0, 0, ring.enter_flags, NULL, 0); }

static void complete(unsigned count) {
    for (unsigned i = 0; i < count; i++) new_entry(&ring, IORING_OP_NOP, 0);
    submit_and_wait(&ring);
    for (unsigned i = 0; i < count; i++) {
        struct io_uring_cqe completion;
        if (!take_completion(&ring, &completion)) fail("an operation is not complete");
    }
}

static void complete_one(void) { complete(1); }
static void complete_many(void) { complete(32); }

static const struct {
    const char *name;
    void (*run)(void);
    int per_run;
} kinds[KINDS] = {
    {"getppid", get_number, 1},         {"recv of nothing, the check", look, 1},
    {"epoll_wait of nothing", wait_for_nothing, 1}, {"io_uring_enter of nothing", enter, 1},
    {"io_uring_enter with one NOP", complete_one, 1},   {"one NOP of 32 an io_uring_enter", complete_many, 32},
};

static double nanoseconds(void (*run)(void), int per_run) {
    struct timespec first, last;
    clock_gettime(CLOCK_MONOTONIC, &first);
    for (int i = 0; i < TIMES / per_run; i++) run();
    clock_gettime(CLOCK_MONOTONIC, &last);
    return ((double)(last.tv_sec - first.tv_sec) * 1e9 + (double)(last.tv_nsec - first.tv_nsec)) / TIMES;
}

// Takes the minimum of several rounds, because disturbances only increase the time.
void measure_calls(const struct plan *plan) {
    quiet = open_connection(plan->port, false);
    epoll = make_epoll();
    watch(epoll, quiet, EPOLLIN | EPOLLET, 0);
    make_ring(&ring, 64, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
    register_itself(&ring);
    for (int kind = 0; kind < KINDS; kind++) {
        double least = 1e9;
        for (int round = 0; round < ROUNDS; round++) {
            double time = nanoseconds(kinds[kind].run, kinds[kind].per_run);
            if (time < least) least = time;
        }
        printf("%s\"%s\": %.0f", kind == 0 ? "{" : ", ", kinds[kind].name, least);
    }
    printf("}\n");
}
