#define _GNU_SOURCE
#include "CInstructions.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int bench_instructions_open(void) {
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attributes,
        .config = PERF_COUNT_HW_INSTRUCTIONS,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

unsigned long long bench_instructions_read(int descriptor) {
    unsigned long long count = 0;
    if (descriptor < 0 || read(descriptor, &count, sizeof count) != sizeof count) {
        return 0;
    }
    return count;
}
