#ifndef SOCKEYE_CZSTANDARD_SHIM_H
#define SOCKEYE_CZSTANDARD_SHIM_H

#include <zstd.h>
#include <zstd_errors.h>

#endif
