// The present distance of two processors.
#ifndef SOCKEYE_COREDISTANCE_H
#define SOCKEYE_COREDISTANCE_H

// Measures the nanoseconds that a cache line takes from one processor to another and back. They are few if both share a
// cache, and several times as many if the host of a virtual machine has put the processors into different places. The
// result is the best of 40 batches of 400 round trips, 1 to 7 ms in total, between the first and the last processor
// that the calling thread may use. The thread's allowed processors do not change. The distance is 0 if there is only
// one processor, or if too few batches completed within 50 ms, the deadline. Returns 0, or -1 with a reason in errno.
int bench_core_distance(double *nanoseconds);

#endif
