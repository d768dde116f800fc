#define _GNU_SOURCE
#include "Placement.h"

#include <sched.h>

// Returns the processors that this process was allowed to use when it began; it never changes its own set.
static cpu_set_t allowed(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return set;
}

bool bench_core_is_allowed(int core) {
    cpu_set_t set = allowed();
    return core >= 0 && core < CPU_SETSIZE && CPU_ISSET(core, &set);
}

int bench_stay_on_core(pid_t process, int core) {
    cpu_set_t set = allowed();
    if (core >= 0) {
        CPU_ZERO(&set);
        CPU_SET(core, &set);
    }
    return sched_setaffinity(process, sizeof set, &set);
}
