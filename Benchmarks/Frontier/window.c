#define _GNU_SOURCE
#include "window.h"

#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds_of(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

// Returns the CPU time of the server's thread; the script passes its number. Some of the work for a client's wait is
// done there when a packet arrives. The time is that of the last tick (4 ms).
static double server_time(void) {
    const char *number = getenv("FRONTIER_SERVER");
    char name[64];
    unsigned long long nanoseconds = 0;
    if (number == NULL) return 0;
    snprintf(name, sizeof name, "/proc/%s/schedstat", number);
    FILE *file = fopen(name, "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%llu", &nanoseconds) != 1) nanoseconds = 0;
    fclose(file);
    return (double)nanoseconds / 1e9;
}

// Returns the time that the two cores were not idle, in ticks of 10 ms. Together with the time of client and server it
// shows if other processes disturbed the run.
static double busy_time(void) {
    const char *cores = getenv("FRONTIER_CORES");
    int first = -1, second = -1, core;
    unsigned long long user, nice, system, idle, waiting, interrupts, soft_interrupts, stolen, sum = 0;
    char line[512];
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL) return 0;
    if (cores != NULL && sscanf(cores, "%d %d", &first, &second) != 2) first = second = -1;
    while (fgets(line, sizeof line, file) != NULL) {
        int found = sscanf(line, "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu", &core, &user, &nice, &system, &idle, &waiting,
            &interrupts, &soft_interrupts, &stolen);
        if (found == 9 && (core == first || core == second)) {
            sum += user + nice + system + interrupts + soft_interrupts + stolen;
        }
    }
    fclose(file);
    return (double)sum / (double)sysconf(_SC_CLK_TCK);
}

// RUSAGE_SELF includes the kernel's threads of a ring (io-wq, SQPOLL), because they belong to the process.
static struct figures figures_now(const struct window *window) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (struct figures){
        .units = window->units,
        .completions = window->completions,
        .calls = calls + (window->further_calls == NULL ? 0 : *window->further_calls),
        .time = seconds_now(),
        .user = seconds_of(usage.ru_utime),
        .system = seconds_of(usage.ru_stime),
        .server = server_time(),
        .busy = busy_time(),
    };
}

void prepare_window(struct window *window, double warm_up, double seconds) {
    *window = (struct window){.opens = seconds_now() + warm_up};
    window->closes = window->opens + seconds;
}

void open_window(struct window *window) {
    window->is_open = true;
    window->first = figures_now(window);
}

bool window_goes_on(struct window *window) {
    double now = seconds_now();
    if (!window->is_open && now >= window->opens) open_window(window);
    return now < window->closes;
}

void print_window(const struct window *window) {
    struct figures last = figures_now(window), first = window->first;
    if (last.units == first.units) fail("nothing was transferred");
    printf("{\"units\": %llu, \"completions\": %llu, \"calls\": %llu, ", (unsigned long long)(last.units - first.units),
        (unsigned long long)(last.completions - first.completions), (unsigned long long)(last.calls - first.calls));
    printf("\"seconds\": %.9f, \"user\": %.6f, \"system\": %.6f, \"server\": %.6f, ", last.time - first.time,
        last.user - first.user, last.system - first.system, last.server - first.server);
    printf("\"busy\": %.6f}\n", last.busy - first.busy);
}
