#ifndef SOCKEYE_PLACEMENT_H
#define SOCKEYE_PLACEMENT_H

#include <stdbool.h>
#include <sys/types.h>

// Returns true if the calling process may use a core.
bool bench_core_is_allowed(int core);

// Binds a thread of a process to a core, or, with -1, to the cores that the calling process may use. Returns -1 with a
// reason in errno on failure.
int bench_stay_on_core(pid_t process, int core);

#endif
