// Reads from the page cache, and queries which parts of a file are in it.
#include "Backend.h"

#if defined(__linux__) && SOCKEYE_HAS_CACHED_READS

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>

#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x00000008
#endif

ptrdiff_t sockeye_file_read_cached(int32_t file, void *room, ptrdiff_t count, ptrdiff_t position) {
    struct iovec vector = {room, (size_t)count};
    ptrdiff_t result = preadv2(file, &vector, 1, position, RWF_NOWAIT);
    return result < 0 ? -errno : result;
}

// The functions below check one byte in this many bytes, not every page.
enum { STRIDE = 128 << 10 };

// Does the same as sockeye_file_cached_prefix, by mincore(2) on a mapping, without accessing its memory.
static ptrdiff_t resident_prefix(int32_t file, off_t offset, size_t count) {
    struct stat status;
    if (fstat(file, &status) != 0) {
        return -errno;
    }
    if (offset >= status.st_size) {
        return (ptrdiff_t)count;
    }
    // mincore reports pages past the end of the file as not resident.
    size_t rest = (size_t)(status.st_size - offset), sampled = count < rest ? count : rest;
    long page = sysconf(_SC_PAGESIZE);
    off_t start = offset - offset % page;
    size_t shift = (size_t)(offset - start), length = sampled + shift;
    unsigned char *map = mmap(NULL, length, PROT_READ, MAP_SHARED, file, start);
    if (map == MAP_FAILED) {
        return -errno;
    }
    ptrdiff_t result = (ptrdiff_t)count;
    for (size_t at = 0;; at = at + STRIDE < length ? at + STRIDE : length - 1) {
        unsigned char state = 0;
        if (mincore(map + (at - at % page), 1, &state) != 0) {
            result = -errno;
            break;
        }
        if ((state & 1) == 0) {
            at -= at % STRIDE;
            result = at > shift ? (ptrdiff_t)(at - shift) : 0;
            break;
        }
        if (at == length - 1) {
            break;
        }
    }
    munmap(map, length);
    return result;
}

// Reads one byte in STRIDE bytes, and the last byte, with RWF_NOWAIT. tmpfs and overlayfs do not support this flag:
// mincore(2) is used there if `may_map` is true.
ptrdiff_t sockeye_file_cached_prefix(int32_t file, ptrdiff_t position, ptrdiff_t count, bool may_map) {
    if (count == 0) {
        return 0;
    }
    for (ptrdiff_t at = 0;; at = at + STRIDE < count ? at + STRIDE : count - 1) {
        char byte;
        ptrdiff_t result = sockeye_file_read_cached(file, &byte, 1, position + at);
        if (result == -EAGAIN) {
            return at - at % STRIDE;
        }
        if (result < 0) {
            return may_map ? resident_prefix(file, position, (size_t)count) : result;
        }
        if (result == 0 || at == count - 1) {
            return count;
        }
    }
}

void sockeye_file_write_back(int32_t file, ptrdiff_t position, ptrdiff_t count) {
    sync_file_range(file, position, count, SYNC_FILE_RANGE_WRITE);
}

#endif
