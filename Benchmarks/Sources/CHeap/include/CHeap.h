// The memory that malloc has handed out, which Swift's module of the C library does not provide.
#ifndef SOCKEYE_CHEAP_H
#define SOCKEYE_CHEAP_H

// Returns the bytes of this process that malloc handed out and that were not freed, in all arenas and mapped blocks.
unsigned long long bench_heap_in_use(void);

#endif
