// The process, its memory and the machine.
#ifndef SOCKEYE_SYSTEM_PROCESS_H
#define SOCKEYE_SYSTEM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int32_t sockeye_process_id(void);
// The effective user id.
uint32_t sockeye_user_id(void);

// The value of an environment variable; NULL if it is unset.
const char *sockeye_environment(const char *name);

// The permissions that new files do not get (the process's umask); negative if unknown. It is not read by umask(2),
// which returns the mask only by changing it for all threads.
int32_t sockeye_creation_mask(void);

// Writes the name and release of the system, such as "Linux 6.1.0", with a NUL.
void sockeye_system_name(char *room, ptrdiff_t size);

// The files of root certificates to try, in this order, if none of OpenSSL's default locations is readable; NULL after
// the last.
const char *sockeye_root_bundle(int32_t index);

// The limit of this process's open descriptors (RLIMIT_NOFILE): the kernel assigns only lower numbers. Negative if
// unknown.
int32_t sockeye_descriptor_limit(void);
// Opens a descriptor of any kind, to find out if one is available. The caller closes it.
int32_t sockeye_descriptor_open_any(void);
// The number of descriptors that this process has open; negative if unknown.
int32_t sockeye_descriptor_count(void);

// The bytes that malloc(3) has allocated and that are not freed; 0 if unknown.
ptrdiff_t sockeye_allocated_bytes(void);
// The largest resident set so far in bytes; 0 if unknown.
ptrdiff_t sockeye_peak_resident_bytes(void);

// Fills at most 256 bytes with random bytes of the kernel; false if it cannot.
bool sockeye_random_fill(void *room, ptrdiff_t count);

// The C library's memory functions, which are faster than a loop.
static inline bool sockeye_memory_is_equal(const void *left, const void *right, ptrdiff_t count) {
    return memcmp(left, right, (size_t)count) == 0;
}

static inline const void *sockeye_memory_find(const void *start, uint8_t byte, ptrdiff_t count) {
    return memchr(start, byte, (size_t)count);
}

#endif
