// The process, error texts, random bytes and character sets, by the calls that all supported systems have.
#include "Backend.h"

#include <iconv.h>
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

// MARK: Character sets

void *sockeye_converter_open(const char *name) {
    iconv_t converter = iconv_open("UTF-8", name);
    return converter == (iconv_t)-1 ? NULL : converter;
}

void sockeye_converter_close(void *converter) { iconv_close(converter); }

enum sockeye_conversion sockeye_converter_step(
    void *converter, const void **input, ptrdiff_t *left, void *room, ptrdiff_t size, ptrdiff_t *written) {
    char *end = room;
    size_t space = (size_t)size, outcome;
    if (input == NULL) {
        outcome = iconv(converter, NULL, NULL, &end, &space);
    } else {
        // iconv takes its input through a pointer to char *, but does not write to it.
        char *start = (char *)*input;
        size_t count = (size_t)*left;
        outcome = iconv(converter, &start, &count, &end, &space);
        *input = start;
        *left = (ptrdiff_t)count;
    }
    int error = outcome == (size_t)-1 ? errno : 0;
    *written = size - (ptrdiff_t)space;
    switch (error) {
    case 0: return sockeye_conversion_done;
    case E2BIG: return sockeye_conversion_full;
    case EINVAL: return sockeye_conversion_incomplete;
    default: return sockeye_conversion_invalid;
    }
}
