// The calls that differ by system, for Darwin.
//
// Darwin sends SIGPIPE to the process and not to the thread, so blocking the signal in one thread does not help. The
// library's own sockets get SO_NOSIGPIPE when they are opened. Writes to other descriptors set F_SETNOSIGPIPE.
#include "Backend.h"

#ifdef __APPLE__

#include <malloc/malloc.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

// MARK: Writes to descriptors of other owners

// Sets F_SETNOSIGPIPE, and returns true if it was not set before. The flag belongs to the open file, which its owner
// may share with other processes, so it is set only during a call.
static bool stop_pipe_signal(int descriptor) {
    return fcntl(descriptor, F_GETNOSIGPIPE) == 0 && fcntl(descriptor, F_SETNOSIGPIPE, 1) == 0;
}

static ptrdiff_t finish(int descriptor, bool was_stopped, ptrdiff_t written) {
    ptrdiff_t result = written < 0 ? -errno : written;
    if (was_stopped) {
        fcntl(descriptor, F_SETNOSIGPIPE, 0);
    }
    return result;
}

ptrdiff_t sockeye_file_write(int32_t file, const void *bytes, ptrdiff_t count) {
    bool stops = stop_pipe_signal(file);
    return finish(file, stops, write(file, bytes, (size_t)count));
}

// Darwin's send(2) ignores MSG_DONTWAIT: on a blocking socket it waits until the buffer has room for all bytes. If
// poll(2) reports a socket as writable, its buffer has room for SO_SNDLOWAT bytes. A blocking socket therefore gets no
// more than that at once.
ptrdiff_t sockeye_send_now(int32_t socket, const void *bytes, ptrdiff_t count) {
    struct pollfd state = {.fd = socket, .events = POLLOUT};
    if (poll(&state, 1, 0) == 0) {
        return -EAGAIN;
    }
    int mark = 0;
    socklen_t size = sizeof mark;
    bool is_blocking = (fcntl(socket, F_GETFL) & O_NONBLOCK) == 0;
    if (is_blocking && getsockopt(socket, SOL_SOCKET, SO_SNDLOWAT, &mark, &size) == 0 && mark > 0 && mark < count) {
        count = mark;
    }
    bool stops = stop_pipe_signal(socket);
    return finish(socket, stops, send(socket, bytes, (size_t)count, 0));
}

// MARK: Sockets

// Makes a descriptor close-on-exec and non-blocking, for which socket(2) and accept(2) have no flags.
static int prepare(int descriptor) {
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    }
    return descriptor;
}

int32_t sockeye_socket_open_raw(int32_t domain, int32_t type, int32_t protocol) {
    int descriptor = prepare(socket(domain, type, protocol)), yes = 1;
    if (descriptor < 0 || setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes) == 0) {
        return descriptor;
    }
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

// The accepted socket inherits SO_NOSIGPIPE from the listener.
int32_t sockeye_accept(int32_t listener) { return prepare(accept(listener, NULL, NULL)); }

// Darwin takes both values in seconds. `milliseconds` is 1000 for the user timeout, which callers give in ms, and 0 for
// the keep-alive idle time, which they give in seconds.
//
// TCP Fast Open (RFC 7413) needs connectx(2); there is no option for it.
bool sockeye_find_option(enum sockeye_option option, struct sockeye_option_number *number) {
    switch (option) {
    case sockeye_option_keep_alive_idle:
        *number = (struct sockeye_option_number){IPPROTO_TCP, TCP_KEEPALIVE, 0};
        return true;
    case sockeye_option_user_timeout:
        *number = (struct sockeye_option_number){IPPROTO_TCP, TCP_RXT_CONNDROPTIME, 1000};
        return true;
    default:
        return false;
    }
}

const char *const sockeye_bind_to_interface_name = "IP_BOUND_IF";

int32_t sockeye_bind_to_interface(int32_t socket, const char *name) {
    size_t length = strlen(name);
    if (length == 0 || length >= IF_NAMESIZE) {
        return EINVAL;
    }
    unsigned index = if_nametoindex(name);
    if (index == 0) {
        return errno;
    }
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &size) != 0) {
        return errno;
    }
    bool is_ipv6 = address.ss_family == AF_INET6;
    int level = is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP, option = is_ipv6 ? IPV6_BOUND_IF : IP_BOUND_IF;
    return setsockopt(socket, level, option, &index, sizeof index) == 0 ? 0 : errno;
}

// sendfile(2). `length` is first the number of bytes to send. The call sets it to the number of sent bytes, also after
// an error. A length of 0 would send the whole file.
ptrdiff_t sockeye_send_file(int32_t socket, int32_t file, ptrdiff_t position, ptrdiff_t count) {
    off_t length = count;
    if (count == 0) {
        return 0;
    }
    return sendfile(file, socket, position, &length, NULL, 0) == 0 || length > 0 ? length : -errno;
}

// MARK: Files

int32_t sockeye_rename_exclusively(const char *from, const char *to) {
    if (renamex_np(from, to, RENAME_EXCL) == 0) {
        return 0;
    }
    return errno == ENOTSUP || errno == EINVAL ? sockeye_rename_by_link(from, to) : errno;
}

// fsync(2) may leave the data in the drive's cache, F_FULLFSYNC (fcntl(2)) does not. Not all file systems support
// F_FULLFSYNC.
int32_t sockeye_file_synchronize(int32_t file) {
    return fcntl(file, F_FULLFSYNC) == 0 || fsync(file) == 0 ? 0 : errno;
}

// MARK: Threads and signals

void sockeye_thread_set_name(const char *name) { pthread_setname_np(name); }

ptrdiff_t sockeye_stack_left(void) {
    // The stack grows down from this address.
    const char *highest = pthread_get_stackaddr_np(pthread_self());
    const char *lowest = highest - pthread_get_stacksize_np(pthread_self());
    // Takes the address of the frame and not of a variable, because sanitizers may store variables elsewhere.
    const char *here = __builtin_frame_address(0);
    return here > lowest && here <= highest ? here - lowest : 0;
}

// Darwin has no sigtimedwait(2). sigwait(2) returns at once if the signal is pending.
void sockeye_pipe_signal_consume(void) {
    sigset_t pending, pipe;
    int number;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1) {
        sigwait(&pipe, &number);
    }
}

// MARK: The process

int32_t sockeye_descriptor_open_any(void) { return sockeye_socket_open_raw(AF_UNIX, SOCK_DGRAM, 0); }

int32_t sockeye_descriptor_count(void) { return sockeye_descriptors_in("/dev/fd"); }

ptrdiff_t sockeye_allocated_bytes(void) {
    // NULL stands for all zones.
    malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return (ptrdiff_t)statistics.size_in_use;
}

// On Darwin ru_maxrss is in bytes, on other systems in KiB.
ptrdiff_t sockeye_peak_resident_bytes(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

// The certificate bundles of Homebrew on arm64 and on x86-64, and that of the system's LibreSSL.
const char *sockeye_root_bundle(int32_t index) {
    static const char *const bundles[] = {
        "/opt/homebrew/etc/openssl@3/cert.pem",
        "/usr/local/etc/openssl@3/cert.pem",
        "/opt/homebrew/etc/ca-certificates/cert.pem",
        "/usr/local/etc/ca-certificates/cert.pem",
        "/etc/ssl/cert.pem",
    };
    return index < (int32_t)(sizeof bundles / sizeof *bundles) ? bundles[index] : NULL;
}

#endif
