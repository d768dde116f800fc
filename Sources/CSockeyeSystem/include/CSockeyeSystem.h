// The system's calls as one neutral interface: the Swift code above it does not know the system that it runs on.
//
// Conventions, unless a call says otherwise:
// - A descriptor is an int32_t. A call that makes one returns a negative number on failure, and the error is in
//   sockeye_last_error().
// - A count of bytes and a position are ptrdiff_t, which is Int in Swift and has 64 bits on every supported system.
// - A call that returns int32_t and makes nothing returns 0 or the error.
// - An error is the system's own number (errno). Its meaning is found by comparison with the constants of
//   SystemErrors.h: callers know no number of any system.
// - An address is the system's own bytes with a length, made and read by the calls of SystemAddresses.h.
// - All descriptors are close-on-exec, and no call raises SIGPIPE.
//
// A system that lacks something optional says so: sockeye_supports() is false, and the calls return
// sockeye_error_not_supported or the "unknown" that they document.
//
// Backends: Readiness is either epoll.c or kqueue.c. The rest is posix*.c for all systems, and linux.c, darwin.c or
// freebsd.c for what differs. What a system may lack is refused by missing.c. Backend.h chooses between them.
#ifndef CSOCKEYE_SYSTEM_H
#define CSOCKEYE_SYSTEM_H

#if !defined(__linux__) && !defined(__APPLE__) && !defined(__FreeBSD__)
#error "Sockeye runs on Linux, macOS and FreeBSD only; another system needs a backend in Sources/CSockeyeSystem."
#endif

#include "ByteBlocks.h"
#include "SystemAddresses.h"
#include "SystemErrors.h"
#include "SystemFiles.h"
#include "SystemProcess.h"
#include "SystemReadiness.h"
#include "SystemRoutes.h"
#include "SystemSockets.h"
#include "SystemTexts.h"
#include "SystemThreads.h"

#endif
