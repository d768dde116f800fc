// The system's calls behind one portable interface: the Swift code does not depend on the operating system.
//
// Conventions, unless a call says otherwise:
// - A descriptor is an int32_t. A call that opens one returns a negative number on failure, and the error is in
//   sockeye_last_error().
// - A count of bytes and a position are ptrdiff_t, which is Int in Swift and has 64 bits on every supported system.
// - Any other call that returns int32_t returns 0 or the error.
// - An error is the system's own number (errno). Callers compare it with the constants of SystemErrors.h, because the
//   numbers differ by system.
// - An address is the system's own bytes with a length, made and read by the calls of SystemAddresses.h.
// - All descriptors are close-on-exec, and no call raises SIGPIPE.
//
// If a system lacks an optional feature, sockeye_supports() returns false for it, and its calls return
// sockeye_error_not_supported or the value that they document for "unknown".
//
// Backend.h chooses the source files. The readiness queue is epoll.c or kqueue.c. All systems share posix*.c. Calls
// that differ are in linux.c, darwin.c or freebsd.c. missing.c has the failing calls of features that the system lacks.
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
#include "SystemThreads.h"

#endif
