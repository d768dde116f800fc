#ifndef SOCKEYE_CCORES_H
#define SOCKEYE_CCORES_H

// On how many cores the calling thread may run; 0 if that is not known.
int bench_allowed_cores(void);

#endif
