#ifndef SOCKEYE_PLACEMENT_H
#define SOCKEYE_PLACEMENT_H

#include <stdbool.h>
#include <sys/types.h>

// Whether the calling process may use a core.
bool bench_core_is_allowed(int core);

// Keeps a thread of some process on a core, or, with -1, on those that the calling process may use. -1 and errno on failure.
int bench_stay_on_core(pid_t process, int core);

#endif
