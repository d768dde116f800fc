// A fixed piece of work for the kernel, to see how fast the machine is at a moment.
#ifndef SOCKEYE_CKERNELWORK_H
#define SOCKEYE_CKERNELWORK_H

// What that work does not show, because each of its threads talks to itself.
#include "CoreDistance.h"
#include "OwnNetwork.h"
#include "Placement.h"

// Two threads' worth of work, each with a connection of its own over loopback: a client and its server are two as well,
// so a processor that somebody else uses shows.
struct bench_kernel_work;

// What a step of the work took in the slower one of its threads, in nanoseconds.
struct bench_kernel_time {
    double cpu;
    double wall;
};

// Opens the connections, which stay: a new one could fail while a scenario has used up the ports. NULL, with a reason in
// errno, if that fails.
struct bench_kernel_work *bench_kernel_work_open(void);

// Does a number of steps in both threads at the same time. A step is a write into the connection, epoll_wait and the read
// at its other end: what clients have the kernel do, and no wake-up of another thread, whose cost depends on where the
// scheduler happens to put both. Returns 0, or -1 with a reason in errno.
int bench_kernel_work_run(struct bench_kernel_work *work, int steps, struct bench_kernel_time *time);

void bench_kernel_work_close(struct bench_kernel_work *work);

#endif
