// Chooses the backend, and says what the system has. Included first by every source of this target.
//
// SOCKEYE_MINIMAL (SOCKEYE_SYSTEM=minimal for Package.swift) makes Linux a system that lacks everything optional, and
// SOCKEYE_KQUEUE_MODEL (SOCKEYE_SYSTEM=kqueue-model) makes it use kqueue.c, over a model of kqueue. Both are for tests.
#ifndef SOCKEYE_BACKEND_H
#define SOCKEYE_BACKEND_H

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "include/CSockeyeSystem.h"

#if defined(__linux__) && !defined(SOCKEYE_KQUEUE_MODEL)
#define SOCKEYE_HAS_EPOLL 1
#define SOCKEYE_HAS_KQUEUE 0
#else
#define SOCKEYE_HAS_EPOLL 0
#define SOCKEYE_HAS_KQUEUE 1
#endif

// One line for each sockeye_feature: a feature that is 0 here is refused by missing.c.
#if defined(SOCKEYE_MINIMAL)
#define SOCKEYE_HAS_SEND_FILE 0
#define SOCKEYE_HAS_CACHED_READS 0
#define SOCKEYE_HAS_LOW_WATER_MARK 0
#define SOCKEYE_HAS_USER_TIMEOUT 0
#define SOCKEYE_HAS_FAST_OPEN 0
#define SOCKEYE_HAS_MULTIPATH 0
#define SOCKEYE_HAS_BIND_TO_INTERFACE 0
#define SOCKEYE_HAS_ROUTES 0
#define SOCKEYE_HAS_KERNEL_TLS 0
#define SOCKEYE_HAS_ABSTRACT_NAMES 0
#define SOCKEYE_HAS_REOPENING 0
#define SOCKEYE_HAS_CREATION_MASK 0
#define SOCKEYE_HAS_ACKNOWLEDGEMENTS 0
#define SOCKEYE_HAS_SOCKET_PROTOCOL 0
#define SOCKEYE_HAS_ALLOCATED_BYTES 0
#elif defined(__linux__)
#define SOCKEYE_HAS_SEND_FILE 1
#define SOCKEYE_HAS_CACHED_READS 1
#define SOCKEYE_HAS_LOW_WATER_MARK 1
#define SOCKEYE_HAS_USER_TIMEOUT 1
#define SOCKEYE_HAS_FAST_OPEN 1
#define SOCKEYE_HAS_MULTIPATH 1
#define SOCKEYE_HAS_BIND_TO_INTERFACE 1
#define SOCKEYE_HAS_ROUTES 1
#define SOCKEYE_HAS_KERNEL_TLS 1
#define SOCKEYE_HAS_ABSTRACT_NAMES 1
#define SOCKEYE_HAS_REOPENING 1
#define SOCKEYE_HAS_CREATION_MASK 1
#define SOCKEYE_HAS_ACKNOWLEDGEMENTS 1
#define SOCKEYE_HAS_SOCKET_PROTOCOL 1
// mallinfo2 is glibc's.
#ifdef __GLIBC__
#define SOCKEYE_HAS_ALLOCATED_BYTES 1
#else
#define SOCKEYE_HAS_ALLOCATED_BYTES 0
#endif
#elif defined(__APPLE__)
#define SOCKEYE_HAS_SEND_FILE 1
#define SOCKEYE_HAS_CACHED_READS 0
#define SOCKEYE_HAS_LOW_WATER_MARK 1
#define SOCKEYE_HAS_USER_TIMEOUT 1
#define SOCKEYE_HAS_FAST_OPEN 0
#define SOCKEYE_HAS_MULTIPATH 0
#define SOCKEYE_HAS_BIND_TO_INTERFACE 1
#define SOCKEYE_HAS_ROUTES 0
#define SOCKEYE_HAS_KERNEL_TLS 0
#define SOCKEYE_HAS_ABSTRACT_NAMES 0
#define SOCKEYE_HAS_REOPENING 0
#define SOCKEYE_HAS_CREATION_MASK 0
#define SOCKEYE_HAS_ACKNOWLEDGEMENTS 0
#define SOCKEYE_HAS_SOCKET_PROTOCOL 0
#define SOCKEYE_HAS_ALLOCATED_BYTES 1
#elif defined(__FreeBSD__)
#define SOCKEYE_HAS_SEND_FILE 1
#define SOCKEYE_HAS_CACHED_READS 0
#define SOCKEYE_HAS_LOW_WATER_MARK 1
#define SOCKEYE_HAS_USER_TIMEOUT 1
#define SOCKEYE_HAS_FAST_OPEN 0
#define SOCKEYE_HAS_MULTIPATH 0
#define SOCKEYE_HAS_BIND_TO_INTERFACE 0
#define SOCKEYE_HAS_ROUTES 0
#define SOCKEYE_HAS_KERNEL_TLS 1
#define SOCKEYE_HAS_ABSTRACT_NAMES 0
#define SOCKEYE_HAS_REOPENING 0
#define SOCKEYE_HAS_CREATION_MASK 1
#define SOCKEYE_HAS_ACKNOWLEDGEMENTS 0
#define SOCKEYE_HAS_SOCKET_PROTOCOL 1
#define SOCKEYE_HAS_ALLOCATED_BYTES 1
#endif

// What posix*.c asks of linux.c, darwin.c or freebsd.c.

// The numbers of a socket option that differs by system; `milliseconds` is the unit of its value, or 0 if it has none.
struct sockeye_option_number {
    int level, name, milliseconds;
};

// Fills in the numbers of user_timeout, keep_alive_idle or fast_open_connect; false if the system lacks the option.
bool sockeye_find_option(enum sockeye_option option, struct sockeye_option_number *number);

// Consumes a pending SIGPIPE of this thread, which has blocked it; returns at once if nothing is pending.
void sockeye_pipe_signal_consume(void);

// What those may use.

// Counts the entries of a folder that shows this process's open descriptors; -1 if it cannot be read.
int32_t sockeye_descriptors_in(const char *path);

// Renames by link(2) and unlink(2); fails if `to` exists.
int32_t sockeye_rename_by_link(const char *from, const char *to);

#ifdef __linux__
// The number of a line of /proc/self/status, such as "VmHWM:"; -1 if it is unknown.
long long sockeye_status_number(const char *name, int base);
#endif

#endif
