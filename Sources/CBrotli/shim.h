#ifndef SOCKEYE_CBROTLI_SHIM_H
#define SOCKEYE_CBROTLI_SHIM_H

#include <brotli/decode.h>
#include <brotli/encode.h>

#endif
