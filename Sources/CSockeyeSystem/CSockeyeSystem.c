#define _GNU_SOURCE
#include "CSockeyeSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void sockeye_name_this_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

int sockeye_accept(int listener, int flags) {
    return accept4(listener, NULL, NULL, flags);
}

ssize_t sockeye_receive(int socket, void *buffer, size_t count) {
    return syscall(SYS_recvfrom, socket, buffer, count, 0, NULL, NULL);
}

ssize_t sockeye_peek(int socket, void *buffer, size_t count) {
    return syscall(SYS_recvfrom, socket, buffer, count, MSG_PEEK, NULL, NULL);
}

ssize_t sockeye_send(int socket, const void *buffer, size_t count) {
    return syscall(SYS_sendto, socket, buffer, count, MSG_NOSIGNAL, NULL, 0);
}

int sockeye_rename_exclusively(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return -1;
    }
    return link(from, to) == 0 ? unlink(from) : -1;
}

#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x00000008
#endif

void sockeye_write_back(int file, off_t offset, off_t count) {
    sync_file_range(file, offset, count, SYNC_FILE_RANGE_WRITE);
}

ssize_t sockeye_read_cached(int file, void *buffer, size_t count, off_t offset) {
    struct iovec vector = {buffer, count};
    ssize_t result = preadv2(file, &vector, 1, offset, RWF_NOWAIT);
    return result < 0 ? -errno : result;
}

enum { STRIDE = 128 << 10 };

// Does the same as sockeye_cached_prefix, by mincore(2) on a mapping that is never accessed.
static ssize_t resident_prefix(int file, off_t offset, size_t count) {
    long page = sysconf(_SC_PAGESIZE);
    off_t start = offset - offset % page;
    size_t shift = (size_t)(offset - start), length = count + shift;
    unsigned char *map = mmap(NULL, length, PROT_READ, MAP_SHARED, file, start);
    if (map == MAP_FAILED) {
        return -errno;
    }
    ssize_t result = (ssize_t)count;
    for (size_t at = 0;; at = at + STRIDE < length ? at + STRIDE : length - 1) {
        unsigned char state = 0;
        if (mincore(map + (at - at % page), 1, &state) != 0) {
            // Past the end of the file.
            break;
        }
        if ((state & 1) == 0) {
            at -= at % STRIDE;
            result = at > shift ? (ssize_t)(at - shift) : 0;
            break;
        }
        if (at == length - 1) {
            break;
        }
    }
    munmap(map, length);
    return result;
}

ssize_t sockeye_cached_prefix(int file, off_t offset, size_t count, int may_map) {
    if (count == 0) {
        return 0;
    }
    for (size_t at = 0;; at = at + STRIDE < count ? at + STRIDE : count - 1) {
        char byte;
        ssize_t result = sockeye_read_cached(file, &byte, 1, offset + (off_t)at);
        if (result == -EAGAIN) {
            return (ssize_t)(at - at % STRIDE);
        }
        if (result < 0) {
            return may_map ? resident_prefix(file, offset, count) : result;
        }
        if (result == 0 || at == count - 1) {
            return (ssize_t)count;
        }
    }
}
