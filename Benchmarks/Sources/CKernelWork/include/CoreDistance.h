// How far apart two processors are at a moment.
#ifndef SOCKEYE_COREDISTANCE_H
#define SOCKEYE_COREDISTANCE_H

// The nanoseconds that a cache line takes from one processor to another and back: few where both share a cache, several
// times as many where the host of a virtual machine has put them into different places. The best of 40 batches of 400
// round trips, 1 to 7 ms in all, between the first and the last processor that the calling thread may use; what it may
// use stays as it is. 0 where that is only one, or where the two were not at it at the same time for more than a moment
// of 50 ms, which is when it gives up. Returns 0, or -1 with a reason in errno.
int bench_core_distance(double *nanoseconds);

#endif
