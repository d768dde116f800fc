// The readiness queue of the platform: epoll on Linux, kqueue on Darwin, FreeBSD and the kqueue model.
#include "CSockeyeSystem.h"
#include "Check.h"
#include "Sockets.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

struct queue {
    int32_t number, wakeup;
};

static struct queue open_queue(void) {
    struct queue queue = {sockeye_queue_open(), -1};
    EXPECT(queue.number >= 0);
    queue.wakeup = sockeye_queue_open_wakeup(queue.number);
    EXPECT(queue.wakeup >= 0);
    return queue;
}

static void close_queue(struct queue queue) { sockeye_queue_close(queue.number, queue.wakeup); }

// The merged flags of the pending events of token 1.
static uint32_t pending(struct queue queue) {
    struct sockeye_event events[8];
    uint32_t merged = 0;
    int rounds = 0;
    for (int count; rounds < 100 && (count = sockeye_queue_wait(queue.number, events, 8, 0)) > 0; rounds++)
        for (int index = 0; index < count; index++)
            if (events[index].token == 1) merged |= events[index].flags;
    // An event that is pending in every wait is no edge.
    EXPECT(rounds < 100);
    return merged;
}

// Waits up to 5 s until the events of token 1 have brought all of these flags.
static uint32_t wait_for(struct queue queue, uint32_t wanted) {
    uint32_t merged = 0;
    int64_t limit = sockeye_monotonic_nanoseconds() + 5000000000;
    while ((merged & wanted) != wanted && sockeye_monotonic_nanoseconds() < limit) {
        struct sockeye_event event;
        if (sockeye_queue_wait(queue.number, &event, 1, 1000) == 1 && event.token == 1) merged |= event.flags;
    }
    EXPECT((merged & wanted) == wanted);
    return merged;
}

static const uint32_t ends = 0x2000 | 0x010 | 0x008;

static void present_state(void) {
    struct queue queue = open_queue();
    struct pair pair = tcp_pair();
    write(pair.theirs, "a", 1);
    EXPECT(sockeye_queue_watch(queue.number, pair.ours, 1) == 0);
    EXPECT(!(wait_for(queue, sockeye_ready_read | sockeye_ready_write) & ends));
    EXPECT(pending(queue) == 0);
    close_pair(pair);
    close_queue(queue);
}

static void edges_of_reading(void) {
    struct queue queue = open_queue();
    struct pair pair = tcp_pair();
    sockeye_queue_watch(queue.number, pair.ours, 1);
    wait_for(queue, sockeye_ready_write);
    for (int round = 0; round < 3; round++) {
        write(pair.theirs, "a", 1);
        wait_for(queue, sockeye_ready_read);
        EXPECT(pending(queue) == 0);
    }
    close_pair(pair);
    close_queue(queue);
}

static void edges_of_writing(void) {
    struct queue queue = open_queue();
    struct pair pair = tcp_pair();
    sockeye_queue_watch(queue.number, pair.ours, 1);
    for (int round = 0; round < 3; round++) {
        wait_for(queue, sockeye_ready_write);
        fill(pair.ours);
        pending(queue);
        drain(pair.theirs);
    }
    close_pair(pair);
    close_queue(queue);
}

static void end_of_the_peer(void) {
    struct queue queue = open_queue();
    struct pair pair = tcp_pair();
    sockeye_queue_watch(queue.number, pair.ours, 1);
    write(pair.theirs, "a", 1);
    sockeye_shutdown(pair.theirs, true);
    wait_for(queue, sockeye_ready_read | sockeye_ready_end);
    close_pair(pair);
    close_queue(queue);
}

static void own_half_close(void) {
    struct queue queue = open_queue();
    struct pair pair = tcp_pair();
    sockeye_queue_watch(queue.number, pair.ours, 1);
    wait_for(queue, sockeye_ready_write);
    sockeye_shutdown(pair.ours, true);
    EXPECT(!(pending(queue) & ends));
    write(pair.theirs, "a", 1);
    EXPECT(!(wait_for(queue, sockeye_ready_read) & ends));
    close_pair(pair);
    close_queue(queue);
}

static void reset_by_the_peer(void) {
    struct queue queue = open_queue();
    struct pair pair = tcp_pair();
    sockeye_queue_watch(queue.number, pair.ours, 1);
    pending(queue);
    reset(pair.theirs);
    // The flags that report the end of the connection differ by system.
    uint32_t merged = 0;
    int64_t limit = sockeye_monotonic_nanoseconds() + 5000000000;
    while (!(merged & ends) && sockeye_monotonic_nanoseconds() < limit) merged |= pending(queue);
    EXPECT(merged & ends);
    EXPECT(merged & sockeye_ready_error);
    close(pair.ours);
    close_queue(queue);
}

static void closed_descriptor(void) {
    struct queue queue = open_queue();
    struct pair pair = tcp_pair();
    sockeye_queue_watch(queue.number, pair.ours, 1);
    write(pair.theirs, "a", 1);
    sockeye_close(pair.ours);
    EXPECT(pending(queue) == 0);
    close(pair.theirs);
    close_queue(queue);
}

static void unwatched_duplicate(void) {
    struct queue queue = open_queue();
    struct pair pair = socket_pair();
    int number = dup(pair.ours);
    EXPECT(sockeye_queue_watch(queue.number, number, 1) == 0);
    wait_for(queue, sockeye_ready_write);
    sockeye_queue_unwatch(queue.number, number);
    sockeye_close(number);
    write(pair.theirs, "a", 1);
    EXPECT(pending(queue) == 0);
    EXPECT(dup2(pair.ours, number) == number);
    EXPECT(sockeye_queue_watch(queue.number, number, 1) == 0);
    wait_for(queue, sockeye_ready_read | sockeye_ready_write);
    sockeye_close(number);
    close_pair(pair);
    close_queue(queue);
}

static void refused_descriptor(void) {
    struct queue queue = open_queue();
    int closed = dup(0);
    close(closed);
    EXPECT(sockeye_queue_watch(queue.number, closed, 1) == sockeye_error_bad_descriptor);
    close_queue(queue);
}

static void wakeups(void) {
    struct queue queue = open_queue();
    struct sockeye_event event;
    EXPECT(sockeye_queue_wait(queue.number, &event, 1, 0) == 0);
    for (int round = 0; round < 3; round++) {
        // Wakes the queue twice before the wait.
        sockeye_queue_wake(queue.number, queue.wakeup);
        sockeye_queue_wake(queue.number, queue.wakeup);
        EXPECT(sockeye_queue_wait(queue.number, &event, 1, -1) == 1);
        EXPECT(event.token == 0);
        EXPECT(sockeye_queue_wait(queue.number, &event, 1, 0) == 0);
    }
    close_queue(queue);
}

static void timeouts(void) {
    struct queue queue = open_queue();
    struct sockeye_event event;
    int64_t start = sockeye_monotonic_nanoseconds();
    EXPECT(sockeye_queue_wait(queue.number, &event, 1, 20) == 0);
    EXPECT(sockeye_monotonic_nanoseconds() - start >= 19000000);
    close_queue(queue);
}

static void more_events_than_room(void) {
    enum { COUNT = 20 };
    struct queue queue = open_queue();
    struct pair pairs[COUNT];
    int seen[COUNT + 1] = {0};
    for (int index = 0; index < COUNT; index++) {
        pairs[index] = socket_pair();
        write(pairs[index].theirs, "a", 1);
        sockeye_queue_watch(queue.number, pairs[index].ours, (uint64_t)index + 1);
    }
    struct sockeye_event events[3];
    for (int count; (count = sockeye_queue_wait(queue.number, events, 3, 0)) > 0;)
        for (int index = 0; index < count; index++)
            if (events[index].flags & sockeye_ready_read) seen[events[index].token]++;
    for (int index = 0; index < COUNT; index++) {
        EXPECT(seen[index + 1] == 1);
        close_pair(pairs[index]);
    }
    close_queue(queue);
}

static void low_water_mark(void) {
    if (!sockeye_supports(sockeye_feature_low_water_mark)) return;
    struct queue queue = open_queue();
    struct pair pair = tcp_pair();
    EXPECT(sockeye_socket_set(pair.ours, sockeye_option_read_low_water_mark, 3) == 0);
    sockeye_queue_watch(queue.number, pair.ours, 1);
    wait_for(queue, sockeye_ready_write);
    write(pair.theirs, "ab", 2);
    EXPECT(!(pending(queue) & sockeye_ready_read));
    write(pair.theirs, "c", 1);
    wait_for(queue, sockeye_ready_read);
    close_pair(pair);
    close_queue(queue);
}

static atomic_int taken, ended;

// Counts edges until it takes a wake-up.
static void *take_edges(void *argument) {
    struct queue *queue = argument;
    struct sockeye_event event = {.token = 1};
    while (event.token != 0) {
        int count = sockeye_queue_wait(queue->number, &event, 1, -1);
        if (count != 1) return "failed";
        if (event.token != 0 && event.flags & sockeye_ready_read) atomic_fetch_add(&taken, 1);
    }
    atomic_fetch_add(&ended, 1);
    return NULL;
}

static void wait_until(atomic_int *counter, int count) {
    int64_t limit = sockeye_monotonic_nanoseconds() + 5000000000;
    while (atomic_load(counter) < count && sockeye_monotonic_nanoseconds() < limit) sockeye_thread_yield();
    EXPECT(atomic_load(counter) == count);
}

static void several_threads(void) {
    enum { THREADS = 3, EDGES = 200 };
    struct queue queue = open_queue();
    pthread_t threads[THREADS];
    struct pair pairs[EDGES];
    for (int index = 0; index < THREADS; index++) pthread_create(&threads[index], NULL, take_edges, &queue);
    for (int index = 0; index < EDGES; index++) {
        pairs[index] = socket_pair();
        write(pairs[index].theirs, "a", 1);
        sockeye_queue_watch(queue.number, pairs[index].ours, (uint64_t)index + 1);
    }
    wait_until(&taken, EDGES);
    // Wake-ups may merge, so the threads are woken one at a time.
    for (int index = 0; index < THREADS; index++) {
        sockeye_queue_wake(queue.number, queue.wakeup);
        wait_until(&ended, index + 1);
    }
    for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
    for (int index = 0; index < EDGES; index++) close_pair(pairs[index]);
    close_queue(queue);
}

static const struct check checks[] = {
    {"the first wait reports the present state, and the second nothing", present_state},
    {"each arrival is an edge", edges_of_reading},
    {"room in a send buffer that was full is an edge", edges_of_writing},
    {"the end of the peer's data is readable and an end", end_of_the_peer},
    {"this side's half-close is no end", own_half_close},
    {"a reset is an end", reset_by_the_peer},
    {"a closed descriptor has no events", closed_descriptor},
    {"an unwatched duplicate has no events, and the next one with its number is watched", unwatched_duplicate},
    {"a descriptor that is not open is refused", refused_descriptor},
    {"a wake-up ends one wait", wakeups},
    {"a wait lasts as long as its timeout", timeouts},
    {"events without room are delivered by the next wait", more_events_than_room},
    {"bytes below the low-water mark are no edge", low_water_mark},
    {"each edge is given to one of several threads", several_threads},
};

int main(void) { return CHECK_ALL("readiness", checks); }
