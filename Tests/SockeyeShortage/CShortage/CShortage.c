#define _GNU_SOURCE
#include "CShortage.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// These functions run before the sanitizer has initialized itself.
#pragma clang attribute push(__attribute__((no_sanitize("address"))), apply_to = function)

// The functions of the real allocator.
#if __has_feature(address_sanitizer)
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif
extern void *REAL(malloc)(size_t);
extern void *REAL(calloc)(size_t, size_t);
extern void *REAL(realloc)(void *, size_t);
extern void REAL(free)(void *);

// MARK: Which calls may fail

struct range {
    uintptr_t start, end;
    bool is_program;
};

enum { MOST_RANGES = 64 };
static struct range ranges[MOST_RANGES];
static int range_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// libwebp is not in this list, because it does not check some of its allocations.
static const char *const libraries[] = {
    "/libz.", "/libcrypto.", "/libssl.", "/libbrotli", "/libzstd.", "/libisal.", "/libxml2.", "/libpng", "/libjpeg.",
    "/libgif.", "/libcares.",
};

static int note_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    // The program itself comes first, without a name.
    bool is_program = info->dlpi_name[0] == 0, counts = is_program;
    for (size_t index = 0; index < sizeof libraries / sizeof *libraries; index++)
        counts = counts || strstr(info->dlpi_name, libraries[index]) != NULL;
    for (int index = 0; counts && index < info->dlpi_phnum && range_count < MOST_RANGES; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        ranges[range_count++] = (struct range){start, start + header->p_memsz, is_program};
    }
    return 0;
}

static void find_ranges(void) { dl_iterate_phdr(note_object, NULL); }

static atomic_long calls, failing, live, bad_closes;
static atomic_bool is_counting;

static const struct range *range_of(const void *caller) {
    if (!atomic_load_explicit(&is_counting, memory_order_acquire)) return NULL;
    for (int index = 0; index < range_count; index++) {
        if ((uintptr_t)caller >= ranges[index].start && (uintptr_t)caller < ranges[index].end) return &ranges[index];
    }
    return NULL;
}

static bool counts(const void *caller) { return range_of(caller) != NULL; }

// Compiled Swift calls malloc for the frames of coroutines, and cannot handle NULL.
static bool counts_in_library(const void *caller) {
    const struct range *range = range_of(caller);
    return range != NULL && !range->is_program;
}

// Counts a call, and returns whether it is the one to fail.
static bool fails(void) { return atomic_fetch_add(&calls, 1) + 1 == atomic_load(&failing); }

static bool fails_for(const void *caller) { return counts(caller) && fails(); }

#define CALLER __builtin_return_address(0)

// MARK: The allocations that are not freed yet, in an open hash table

enum { SLOTS = 1 << 18, PROBES = 64 };
static _Atomic(void *) slots[SLOTS];

static size_t slot_of(const void *memory) { return ((uintptr_t)memory >> 4) * 0x9E3779B97F4A7C15u >> 46; }

static void *note(void *memory) {
    for (size_t probe = 0; memory != NULL && probe < PROBES; probe++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&slots[(slot_of(memory) + probe) % SLOTS], &none, memory)) {
            atomic_fetch_add(&live, 1);
            break;
        }
    }
    return memory;
}

static void forget(void *memory) {
    for (size_t probe = 0; memory != NULL && probe < PROBES; probe++) {
        void *wanted = memory;
        if (atomic_compare_exchange_strong(&slots[(slot_of(memory) + probe) % SLOTS], &wanted, NULL)) {
            atomic_fetch_sub(&live, 1);
            break;
        }
    }
}

void *malloc(size_t size) {
    if (!counts_in_library(CALLER)) return REAL(malloc)(size);
    if (!fails()) return note(REAL(malloc)(size));
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t count, size_t size) {
    if (!counts(CALLER)) return REAL(calloc)(count, size);
    if (!fails()) return note(REAL(calloc)(count, size));
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *memory, size_t size) {
    if (!counts(CALLER)) {
        forget(memory);
        return REAL(realloc)(memory, size);
    }
    if (!fails()) {
        forget(memory);
        return note(REAL(realloc)(memory, size));
    }
    errno = ENOMEM;
    return NULL;
}

void free(void *memory) {
    forget(memory);
    REAL(free)(memory);
}

// MARK: Descriptors and threads

static int failure(int code) {
    errno = code;
    return -1;
}

static int open_at(const void *caller, int folder, const char *path, int flags, unsigned mode) {
    return fails_for(caller) ? failure(EMFILE) : (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE(last)                                          \
    unsigned mode = 0;                                      \
    if (flags & (O_CREAT | O_TMPFILE)) {                    \
        va_list arguments;                                  \
        va_start(arguments, last);                          \
        mode = va_arg(arguments, unsigned);                 \
        va_end(arguments);                                  \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    return open_at(CALLER, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags)
    return open_at(CALLER, AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    MODE(flags)
    return open_at(CALLER, folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    MODE(flags)
    return open_at(CALLER, folder, path, flags, mode);
}

FILE *fopen64(const char *path, const char *mode) {
    static FILE *(*real)(const char *, const char *);
    if (fails_for(CALLER)) return failure(EMFILE), NULL;
    if (real == NULL) real = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen64");
    return real(path, mode);
}

int socket(int domain, int type, int protocol) {
    return fails_for(CALLER) ? failure(EMFILE) : (int)syscall(SYS_socket, domain, type, protocol);
}

int epoll_create1(int flags) { return fails_for(CALLER) ? failure(EMFILE) : (int)syscall(SYS_epoll_create1, flags); }

int epoll_ctl(int queue, int operation, int descriptor, struct epoll_event *event) {
    if (fails_for(CALLER)) return failure(ENOSPC);
    return (int)syscall(SYS_epoll_ctl, queue, operation, descriptor, event);
}

int eventfd(unsigned value, int flags) {
    return fails_for(CALLER) ? failure(EMFILE) : (int)syscall(SYS_eventfd2, value, flags);
}

int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    if (fails_for(CALLER)) return failure(EMFILE);
    return (int)syscall(SYS_accept4, listener, address, length, flags);
}

int setsockopt(int socket, int level, int name, const void *value, socklen_t length) {
    if (fails_for(CALLER)) return failure(ENOBUFS);
    return (int)syscall(SYS_setsockopt, socket, level, name, value, length);
}

int bind(int socket, const struct sockaddr *address, socklen_t length) {
    return fails_for(CALLER) ? failure(EADDRINUSE) : (int)syscall(SYS_bind, socket, address, length);
}

int listen(int socket, int backlog) {
    return fails_for(CALLER) ? failure(EADDRINUSE) : (int)syscall(SYS_listen, socket, backlog);
}

int fstat(int descriptor, struct stat *status) {
    static int (*real)(int, struct stat *);
    if (fails_for(CALLER)) return failure(EIO);
    if (real == NULL) real = (int (*)(int, struct stat *))dlsym(RTLD_NEXT, "fstat");
    return real(descriptor, status);
}

int close(int descriptor) {
    long result = syscall(SYS_close, descriptor);
    if (result < 0 && errno == EBADF) atomic_fetch_add(&bad_closes, 1);
    return (int)result;
}

// MARK: What the program calls

void shortage_begin(long nth) {
    pthread_once(&once, find_ranges);
    atomic_store(&calls, 0);
    atomic_store(&failing, nth);
    atomic_store_explicit(&is_counting, true, memory_order_release);
}

long shortage_end(void) {
    atomic_store(&is_counting, false);
    return atomic_load(&calls);
}

long shortage_live(void) { return atomic_load(&live); }

long shortage_bad_closes(void) { return atomic_load(&bad_closes); }

#pragma clang attribute pop
