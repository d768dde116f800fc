#define _GNU_SOURCE
#include "CoreDistance.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

// A batch takes 25 µs to 0.2 ms, so that most batches are not interrupted by the scheduler or the host, and the best of
// several was not. With too few batches, the best one may have been interrupted: round trips of 80 µs were seen.
enum { BATCHES = 40, FEWEST_BATCHES = 8, ROUND_TRIPS = 400, ASKS_BETWEEN_LOOKS = 1024, LINE = 128 };
static const double PATIENCE = 50e6;

// Each member has two cache lines of its own, because processors fetch adjacent lines together.
struct ball {
    _Alignas(LINE) atomic_uint turn;
    _Alignas(LINE) double deadline;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Chooses the first and the last allowed processor, which are unlikely to be two threads of one core. Returns false if
// there are fewer than two.
static int choose(int chosen[2]) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return 0;
    int first = 0, last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(first, &allowed)) first++;
    while (!CPU_ISSET(last, &allowed)) last--;
    chosen[0] = first;
    chosen[1] = last;
    return 1;
}

// Polls without a pause until it is this thread's turn; the delay is the measured quantity. Returns false after the
// deadline.
static int await(struct ball *ball, unsigned turn) {
    for (unsigned asked = 1; atomic_load_explicit(&ball->turn, memory_order_acquire) != turn; asked++) {
        if (asked % ASKS_BETWEEN_LOOKS == 0 && now() > ball->deadline) return 0;
    }
    return 1;
}

static void pass(struct ball *ball, unsigned turn) { atomic_store_explicit(&ball->turn, turn, memory_order_release); }

static void *run_partner(void *argument) {
    struct ball *ball = argument;
    for (unsigned trip = 0; trip < BATCHES * ROUND_TRIPS; trip++) {
        if (!await(ball, 2 * trip + 1)) break;
        pass(ball, 2 * trip + 2);
    }
    return NULL;
}

struct player {
    struct ball *ball;
    int batches;
    double best;
};

static void *run_player(void *argument) {
    struct player *player = argument;
    unsigned trip = 0;
    for (; player->batches < BATCHES; player->batches++) {
        double start = now();
        for (int count = 0; count < ROUND_TRIPS; count++, trip++) {
            pass(player->ball, 2 * trip + 1);
            if (!await(player->ball, 2 * trip + 2)) return NULL;
        }
        double taken = (now() - start) / ROUND_TRIPS;
        if (player->batches == 0 || taken < player->best) player->best = taken;
    }
    return NULL;
}

// Starts a separate thread, because future children of the calling thread would inherit its processor.
static int start(pthread_t *thread, int processor, void *(*body)(void *), void *argument) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(processor, &processors);
    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure) return failure;
    failure = pthread_attr_setaffinity_np(&attributes, sizeof processors, &processors);
    if (!failure) failure = pthread_create(thread, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return failure;
}

int bench_core_distance(double *nanoseconds) {
    *nanoseconds = 0;
    int processors[2];
    if (!choose(processors)) return 0;
    struct ball ball = {.deadline = now() + PATIENCE};
    struct player player = {.ball = &ball};
    pthread_t threads[2];
    int failure = start(&threads[0], processors[0], run_partner, &ball);
    if (!failure) {
        failure = start(&threads[1], processors[1], run_player, &player);
        if (!failure) pthread_join(threads[1], NULL);
        // The partner has no opponent any more; it ends at the deadline at the latest.
        pthread_join(threads[0], NULL);
    }
    // A processor may become unavailable between the choice and the start. There is no distance then, but no failure.
    if (failure == EINVAL) failure = 0;
    if (player.batches >= FEWEST_BATCHES) *nanoseconds = player.best;
    errno = failure;
    return failure ? -1 : 0;
}
