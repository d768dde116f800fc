// The process, error texts and random bytes, by the calls that all supported systems have.
#include "Backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

const char *sockeye_error_text(int32_t error) { return strerror(error); }

int32_t sockeye_process_id(void) { return getpid(); }

uint32_t sockeye_user_id(void) { return geteuid(); }

const char *sockeye_environment(const char *name) { return getenv(name); }

void sockeye_system_name(char *room, ptrdiff_t size) {
    struct utsname name;
    if (uname(&name) == 0) {
        snprintf(room, (size_t)size, "%s %s", name.sysname, name.release);
    } else {
        snprintf(room, (size_t)size, "unknown");
    }
}

int32_t sockeye_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return -1;
    }
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int32_t)limit.rlim_cur;
}

int32_t sockeye_descriptors_in(const char *path) {
    void *folder = sockeye_folder_open(path);
    if (folder == NULL) {
        return -1;
    }
    // Starts at -1, because the folder's own descriptor does not count.
    int32_t count = -1;
    for (const char *name; (name = sockeye_folder_next(folder)) != NULL;) {
        count += name[0] != '.';
    }
    sockeye_folder_close(folder);
    return count;
}

bool sockeye_random_fill(void *room, ptrdiff_t count) { return getentropy(room, (size_t)count) == 0; }
