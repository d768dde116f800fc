#ifndef SOCKEYE_CGZIP_H
#define SOCKEYE_CGZIP_H

#include <stddef.h>

// Writes a gzip file with `count` bytes, repeated `repetitions` times; returns false on failure.
//
// It is one gzip member, because some clients do not continue after the first. Each repetition is compressed
// separately, so that the ratio is that of the bytes and not of the repetition. It is compressed only once, so that a
// large file takes no longer than the disk.
_Bool bench_gzip(const char *path, const void *bytes, size_t count, size_t repetitions);

#endif
