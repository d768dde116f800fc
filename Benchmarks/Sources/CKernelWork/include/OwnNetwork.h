#ifndef SOCKEYE_OWNNETWORK_H
#define SOCKEYE_OWNNETWORK_H

// Moves the calling thread and its future children into a new network namespace that has only a loopback interface,
// which is up. Returns -1 with a reason in errno on failure. The thread then stays in its namespace, or, with ENETDOWN,
// is in a namespace with its interface down.
int bench_own_network(void);

#endif
