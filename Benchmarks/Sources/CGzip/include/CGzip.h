#ifndef SOCKEYE_CGZIP_H
#define SOCKEYE_CGZIP_H

#include <stddef.h>

// Writes a gzip file that holds `count` bytes, repeated so many times; false on failure.
//
// It is one gzip member, since not every client goes on after the first. Each repetition is compressed on its own, so
// the ratio is that of the bytes and not that of the repetition, and it is compressed only once, so a large file takes
// no longer than the disk does.
_Bool bench_gzip(const char *path, const void *bytes, size_t count, size_t repetitions);

#endif
