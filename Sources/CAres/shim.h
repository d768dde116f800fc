#ifndef SOCKEYE_CARES_SHIM_H
#define SOCKEYE_CARES_SHIM_H

#include <ares.h>

#endif
