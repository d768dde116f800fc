// Chooses the backend and defines the features of the system. Every source of this target includes it first.
//
// Two values of the environment variable SOCKEYE_SYSTEM, which Package.swift reads, are for tests on Linux. `minimal`
// (SOCKEYE_MINIMAL) removes every optional feature. `kqueue-model` (SOCKEYE_KQUEUE_MODEL) uses kqueue.c instead of
// epoll.c, over a simulation of kqueue.
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

// One line for each sockeye_feature. missing.c defines the calls of the features that are 0 here.
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

// MARK: Functions of linux.c, darwin.c and freebsd.c that posix*.c calls

// The numbers of a socket option. If callers give the value in ms, `milliseconds` is the system's unit for it: 1 for
// ms, 1000 for seconds. It is 0 for all other options.
struct sockeye_option_number {
    int level, name, milliseconds;
};

// Fills in the numbers of sockeye_option_user_timeout, _keep_alive_idle or _fast_open_connect, which differ by system;
// false if the system lacks the option.
bool sockeye_find_option(enum sockeye_option option, struct sockeye_option_number *number);

// Consumes a pending SIGPIPE of this thread, which must have blocked the signal. Does nothing if none is pending.
void sockeye_pipe_signal_consume(void);

// MARK: Functions that linux.c, darwin.c and freebsd.c may call

// Counts the entries of a folder that lists this process's open descriptors, without the descriptor of that folder; -1
// if it cannot be read.
int32_t sockeye_descriptors_in(const char *path);

// Renames a file by link(2) and unlink(2); fails if `to` exists.
int32_t sockeye_rename_by_link(const char *from, const char *to);

#ifdef __linux__
// Finds the line of /proc/self/status that starts with `name`, such as "VmHWM:", and returns its number, which is in
// base `base`. Returns -1 if the file cannot be read or has no such line.
long long sockeye_status_number(const char *name, int base);
#endif

#endif
