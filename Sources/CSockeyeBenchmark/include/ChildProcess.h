// A child process that runs this program as the server, so that the server's CPU time does not count as the client's.
#ifndef SOCKEYE_BENCHMARK_CHILD_PROCESS_H
#define SOCKEYE_BENCHMARK_CHILD_PROCESS_H

#include <stddef.h>

struct bench_child {
    int process;
    // The child's standard input ends when the parent closes this descriptor or dies.
    int lifeline;
    // The child's standard output.
    int output;
};

// Starts this program with one or two arguments; `second` may be NULL. Returns 0 or an error number.
int bench_child_start(struct bench_child *child, const char *first, const char *second);

// Reads the child's output until the child closes it. Returns the number of bytes, or a negative error number:
// -ETIMEDOUT after `milliseconds`, -ENOBUFS if the output has `room` bytes or more.
long bench_child_read(struct bench_child child, char *buffer, size_t room, int milliseconds);

// Closes the lifeline and waits for the child's end; kills a child that is still running after two seconds.
void bench_child_end(struct bench_child child);

// For the child: flushes and closes standard output, and returns when the parent has closed the lifeline or died.
void bench_wait_for_parent(void);

#endif
