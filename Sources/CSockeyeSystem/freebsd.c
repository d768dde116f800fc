// The calls that differ by system, for FreeBSD.
#include "Backend.h"

#ifdef __FreeBSD__

#include <malloc_np.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread_np.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/sysctl.h>
#include <sys/uio.h>
#include <unistd.h>

// MARK: Sockets

// SO_NOSIGPIPE is for sendfile(2), which has no flag that suppresses SIGPIPE. Setting the option fails only for kinds
// of sockets to which no file is sent.
int32_t sockeye_socket_open_raw(int32_t domain, int32_t type, int32_t protocol) {
    int descriptor = socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol), yes = 1;
    if (descriptor >= 0) {
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
    }
    return descriptor;
}

// The accepted socket inherits SO_NOSIGPIPE from the listener.
int32_t sockeye_accept(int32_t listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

// FreeBSD takes both values in seconds. `milliseconds` is 1000 for the user timeout, which callers give in ms, and 0
// for the keep-alive idle time, which they give in seconds.
//
// TCP Fast Open (RFC 7413) needs sendto(2) with the peer's address; there is no option with which connect(2) uses it.
bool sockeye_find_option(enum sockeye_option option, struct sockeye_option_number *number) {
    switch (option) {
    case sockeye_option_keep_alive_idle:
        *number = (struct sockeye_option_number){IPPROTO_TCP, TCP_KEEPIDLE, 0};
        return true;
    case sockeye_option_user_timeout:
        // The time in which sent data must be acknowledged (tcp(4)). Since FreeBSD 14.
        *number = (struct sockeye_option_number){IPPROTO_TCP, TCP_MAXUNACKTIME, 1000};
        return true;
    default:
        return false;
    }
}

// sendfile(2). A count of 0 would send the whole file. `sent` is the number of bytes sent, also after an error.
ptrdiff_t sockeye_send_file(int32_t socket, int32_t file, ptrdiff_t position, ptrdiff_t count) {
    off_t sent = 0;
    if (count == 0) {
        return 0;
    }
    return sendfile(file, socket, position, (size_t)count, NULL, &sent, 0) == 0 || sent > 0 ? sent : -errno;
}

// MARK: Files

int32_t sockeye_rename_exclusively(const char *from, const char *to) { return sockeye_rename_by_link(from, to); }

int32_t sockeye_file_synchronize(int32_t file) { return fsync(file) == 0 ? 0 : errno; }

// MARK: Threads and signals

void sockeye_thread_set_name(const char *name) { pthread_set_name_np(pthread_self(), name); }

ptrdiff_t sockeye_stack_left(void) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return 0;
    }
    void *lowest = NULL;
    size_t size = 0;
    bool is_known = pthread_attr_get_np(pthread_self(), &attributes) == 0
                    && pthread_attr_getstack(&attributes, &lowest, &size) == 0;
    pthread_attr_destroy(&attributes);
    // Takes the address of the frame and not of a variable, because sanitizers may store variables elsewhere.
    const char *here = __builtin_frame_address(0);
    if (!is_known || here <= (const char *)lowest || (size_t)(here - (const char *)lowest) > size) {
        return 0;
    }
    return here - (const char *)lowest;
}

// MARK: The process

int32_t sockeye_descriptor_open_any(void) { return sockeye_socket_open_raw(AF_UNIX, SOCK_DGRAM, 0); }

// /dev/fd shows only the first three descriptors if fdescfs(5) is not mounted.
int32_t sockeye_descriptor_count(void) {
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_NFDS, 0}, count = 0;
    size_t size = sizeof count;
    return sysctl(name, 4, &count, &size, NULL, 0) == 0 ? count : -1;
}

int32_t sockeye_creation_mask(void) {
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_UMASK, getpid()};
    unsigned short mask = 0;
    size_t size = sizeof mask;
    return sysctl(name, 4, &mask, &size, NULL, 0) == 0 ? mask : -1;
}

// jemalloc(3) updates its statistics when "epoch" is written.
ptrdiff_t sockeye_allocated_bytes(void) {
    uint64_t epoch = 1;
    size_t allocated = 0, size = sizeof allocated;
    mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
    return mallctl("stats.allocated", &allocated, &size, NULL, 0) == 0 ? (ptrdiff_t)allocated : 0;
}

ptrdiff_t sockeye_peak_resident_bytes(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (ptrdiff_t)usage.ru_maxrss << 10 : 0;
}

// The certificate bundle of the base system, and those of the package ca_root_nss.
const char *sockeye_root_bundle(int32_t index) {
    static const char *const bundles[] = {
        "/etc/ssl/cert.pem",
        "/usr/local/share/certs/ca-root-nss.crt",
        "/usr/local/etc/ssl/cert.pem",
    };
    return index < (int32_t)(sizeof bundles / sizeof *bundles) ? bundles[index] : NULL;
}

#endif
