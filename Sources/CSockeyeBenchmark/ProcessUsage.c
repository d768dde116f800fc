#define _GNU_SOURCE
#include "ProcessUsage.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

struct bench_cpu_time bench_cpu_time(void) {
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (struct bench_cpu_time){seconds(usage.ru_utime), seconds(usage.ru_stime)};
}

// The most threads that are counted; further threads are ignored.
enum { MAX_THREADS = 256 };

static int counters[MAX_THREADS];
static int counter_count;

// Opens a counter of the instructions of one thread and of the threads that it starts. Returns a descriptor, or -1 with
// errno.
static int open_counter(int thread) {
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attributes,
        .config = PERF_COUNT_HW_INSTRUCTIONS,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

int bench_instructions_start(void) {
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL) {
        return errno;
    }
    int error = 0;
    counter_count = 0;
    for (struct dirent *entry; counter_count < MAX_THREADS && (entry = readdir(threads)) != NULL;) {
        int thread = atoi(entry->d_name);
        int counter = thread > 0 ? open_counter(thread) : -1;
        if (counter >= 0) {
            counters[counter_count++] = counter;
        } else if (thread > 0 && errno != ESRCH) {
            error = errno;
        }
    }
    closedir(threads);
    if (error != 0) {
        bench_instructions_stop();
    }
    return error;
}

unsigned long long bench_instructions_stop(void) {
    unsigned long long sum = 0;
    for (; counter_count > 0; counter_count--) {
        unsigned long long count = 0;
        if (read(counters[counter_count - 1], &count, sizeof count) == sizeof count) {
            sum += count;
        }
        close(counters[counter_count - 1]);
    }
    return sum;
}

void bench_exit(int status) {
    exit(status);
}
