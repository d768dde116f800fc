// A library that is preloaded into a client and counts its calls of the allocator.
#ifndef SOCKEYE_ALLOCATION_COUNTER_H
#define SOCKEYE_ALLOCATION_COUNTER_H

// Returns the number of calls of malloc, calloc, realloc, reallocarray, aligned_alloc, memalign, posix_memalign, valloc
// and pvalloc so far, on all threads.
unsigned long long bench_allocations(void);

#endif
