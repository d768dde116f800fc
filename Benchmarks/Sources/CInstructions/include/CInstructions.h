// The processor's count of instructions, through perf_event_open, which no libc wraps.
#ifndef SOCKEYE_CINSTRUCTIONS_H
#define SOCKEYE_CINSTRUCTIONS_H

// Begins to count the instructions in user mode of this thread and of its future descendants. Returns a descriptor, or
// -1 if the machine or its settings do not allow it.
int bench_instructions_open(void);

// Returns the count so far; 0 for the descriptor -1.
unsigned long long bench_instructions_read(int descriptor);

#endif
