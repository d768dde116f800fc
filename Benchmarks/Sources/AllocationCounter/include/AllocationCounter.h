// A library to preload into a client: it counts what the client asks the allocator for.
#ifndef SOCKEYE_ALLOCATION_COUNTER_H
#define SOCKEYE_ALLOCATION_COUNTER_H

// How often the process has called malloc, calloc, realloc, reallocarray, aligned_alloc, memalign, posix_memalign, valloc
// or pvalloc so far, on all threads.
unsigned long long bench_allocations(void);

#endif
