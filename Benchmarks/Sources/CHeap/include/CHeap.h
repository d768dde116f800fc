// What malloc has handed out, which Swift's module of the C library does not tell.
#ifndef SOCKEYE_CHEAP_H
#define SOCKEYE_CHEAP_H

// Bytes of this process that malloc handed out and did not get back, in all arenas and mapped blocks.
unsigned long long bench_heap_in_use(void);

#endif
