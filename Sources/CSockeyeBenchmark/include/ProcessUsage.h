// The resources that this process uses. In C, because perf_event_open(2) has no wrapper that Swift can call.
#ifndef SOCKEYE_BENCHMARK_PROCESS_USAGE_H
#define SOCKEYE_BENCHMARK_PROCESS_USAGE_H

// CPU seconds of all threads so far, in user mode and in the kernel (getrusage(2)).
struct bench_cpu_time {
    double user;
    double system;
};

struct bench_cpu_time bench_cpu_time(void);

// Starts counting the instructions in user mode of all threads of this process and of the threads that they start
// (perf_event_open(2)). Returns 0, or an error number if the machine or its settings do not allow it. Only one count
// may run at a time.
int bench_instructions_start(void);

// Ends the count and returns it.
unsigned long long bench_instructions_stop(void);

// exit(3), which flushes standard output.
void bench_exit(int status) __attribute__((noreturn));

#endif
