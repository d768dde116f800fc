// A fixed piece of work for the kernel, which measures the present speed of the machine.
#ifndef SOCKEYE_CKERNELWORK_H
#define SOCKEYE_CKERNELWORK_H

// The distance of processors, which this work does not show, because each of its threads communicates with itself.
#include "CoreDistance.h"
#include "OwnNetwork.h"
#include "Placement.h"

// The work of two threads with a connection over loopback each. A client and its server need two processors, too, so
// the work shows if other load occupies one of them.
struct bench_kernel_work;

// The time of a step of the work in the slower thread, in nanoseconds.
struct bench_kernel_time {
    double cpu;
    double wall;
};

// Opens the connections, which stay open, because opening one could fail while a scenario uses all ports. Returns NULL,
// with a reason in errno, on failure.
struct bench_kernel_work *bench_kernel_work_open(void);

// Runs steps in both threads at the same time. A step is a write to the connection, epoll_wait and a read at its other
// end, as clients do. It wakes no other thread, because the cost of that depends on the scheduler's placement. Returns
// 0, or -1 with a reason in errno.
int bench_kernel_work_run(struct bench_kernel_work *work, int steps, struct bench_kernel_time *time);

void bench_kernel_work_close(struct bench_kernel_work *work);

#endif
