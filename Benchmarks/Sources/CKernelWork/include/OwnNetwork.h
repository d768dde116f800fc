#ifndef SOCKEYE_OWNNETWORK_H
#define SOCKEYE_OWNNETWORK_H

// Moves the calling thread, and what it starts from then on, into a network namespace of its own that has nothing but a
// loopback interface, which is up. -1 and errno where that is not allowed; then the thread stays where it is, or in a
// namespace without an interface that is up, which says ENETDOWN.
int bench_own_network(void);

#endif
