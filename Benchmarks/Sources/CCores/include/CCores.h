#ifndef SOCKEYE_CCORES_H
#define SOCKEYE_CCORES_H

// Returns the number of cores that the calling thread may use; 0 if it is unknown.
int bench_allowed_cores(void);

#endif
