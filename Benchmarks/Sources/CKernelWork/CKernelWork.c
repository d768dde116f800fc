#define _GNU_SOURCE
#include "CKernelWork.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// UNCOUNTED steps precede the counted ones, because caches are cold after a pause.
enum { THREADS = 2, UNCOUNTED = 500, MESSAGE = 200 };

struct worker {
    pthread_t thread;
    int steps;
    int ends[2];
    int poller;
    int failure;
    struct bench_kernel_time time;
};

struct bench_kernel_work {
    struct worker workers[THREADS];
};

static double nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int fail(void) { return errno ? errno : EIO; }

// Opens a connection over loopback and returns both of its ends.
static int connect_ends(int listener, int ends[2]) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0) return -1;
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return -1;
    ends[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (ends[0] < 0 || connect(ends[0], (struct sockaddr *)&address, length) != 0) return -1;
    ends[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    return ends[1] < 0 ? -1 : 0;
}

static int open_worker(struct worker *worker) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    int status = connect_ends(listener, worker->ends);
    int reason = errno;
    close(listener);
    errno = reason;
    if (status != 0) return -1;
    worker->poller = epoll_create1(EPOLL_CLOEXEC);
    if (worker->poller < 0) return -1;
    for (int end = 0; end < 2; end++) {
        int on = 1;
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = worker->ends[end]};
        if (setsockopt(worker->ends[end], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) return -1;
        if (epoll_ctl(worker->poller, EPOLL_CTL_ADD, worker->ends[end], &event) != 0) return -1;
    }
    return 0;
}

static void close_worker(struct worker *worker) {
    for (int end = 0; end < 2; end++) {
        if (worker->ends[end] >= 0) close(worker->ends[end]);
    }
    if (worker->poller >= 0) close(worker->poller);
}

// Runs steps. Nothing is lost on loopback, so a second without an answer is an error.
static int run_steps(struct worker *worker, int steps) {
    char message[MESSAGE] = {0};
    for (int step = 0; step < steps; step++) {
        struct epoll_event event;
        if (write(worker->ends[step & 1], message, sizeof message) != sizeof message) return fail();
        if (epoll_wait(worker->poller, &event, 1, 1000) != 1) return fail();
        if (read(event.data.fd, message, sizeof message) != sizeof message) return fail();
    }
    return 0;
}

static void *run_worker(void *argument) {
    struct worker *worker = argument;
    worker->failure = run_steps(worker, UNCOUNTED);
    if (worker->failure) return NULL;
    double wall = nanoseconds(CLOCK_MONOTONIC), cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    worker->failure = run_steps(worker, worker->steps);
    worker->time.cpu = (nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cpu) / worker->steps;
    worker->time.wall = (nanoseconds(CLOCK_MONOTONIC) - wall) / worker->steps;
    return NULL;
}

static double larger(double one, double other) { return one > other ? one : other; }

struct bench_kernel_work *bench_kernel_work_open(void) {
    struct bench_kernel_work *work = calloc(1, sizeof *work);
    if (!work) return NULL;
    for (int index = 0; index < THREADS; index++) {
        work->workers[index] = (struct worker){.ends = {-1, -1}, .poller = -1};
    }
    for (int index = 0; index < THREADS; index++) {
        if (open_worker(&work->workers[index]) == 0) continue;
        int reason = fail();
        bench_kernel_work_close(work);
        errno = reason;
        return NULL;
    }
    return work;
}

int bench_kernel_work_run(struct bench_kernel_work *work, int steps, struct bench_kernel_time *time) {
    int failure = 0, started = 0;
    while (!failure && started < THREADS) {
        struct worker *worker = &work->workers[started];
        worker->steps = steps;
        failure = pthread_create(&worker->thread, NULL, run_worker, worker);
        if (!failure) started++;
    }
    *time = (struct bench_kernel_time){0};
    for (int index = 0; index < started; index++) {
        struct worker *worker = &work->workers[index];
        pthread_join(worker->thread, NULL);
        if (worker->failure) failure = worker->failure;
        time->cpu = larger(time->cpu, worker->time.cpu);
        time->wall = larger(time->wall, worker->time.wall);
    }
    errno = failure;
    return failure ? -1 : 0;
}

void bench_kernel_work_close(struct bench_kernel_work *work) {
    for (int index = 0; index < THREADS; index++) close_worker(&work->workers[index]);
    free(work);
}
