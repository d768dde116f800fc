// Optional features that Linux has; other systems may lack them.
#include "Backend.h"

#if defined(__linux__) && !defined(SOCKEYE_MINIMAL)

#include <malloc.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <unistd.h>

ptrdiff_t sockeye_send_file(int32_t socket, int32_t file, ptrdiff_t position, ptrdiff_t count) {
    // sendfile(2) has no flag that suppresses SIGPIPE. Blocking the signal takes two or three short system calls.
    int32_t state = sockeye_pipe_signal_block();
    off_t offset = position;
    ptrdiff_t sent = sendfile(socket, file, &offset, (size_t)count);
    ptrdiff_t result = sent < 0 ? -errno : sent;
    // A call that sent only some bytes raises the signal too, if the connection broke between two pages.
    sockeye_pipe_signal_restore(state, sent < 0 ? result == -EPIPE : sent < count);
    return result;
}

int32_t sockeye_socket_open_multipath(enum sockeye_family family) {
    int32_t domain = family == sockeye_family_ipv6 ? AF_INET6 : AF_INET;
    int32_t number = sockeye_socket_open_raw(domain, SOCK_STREAM, 262 /* IPPROTO_MPTCP */);
    if (number < 0 && (errno == EPROTONOSUPPORT || errno == EINVAL || errno == ENOPROTOOPT)) {
        errno = EOPNOTSUPP;
    }
    return number;
}

const char *const sockeye_bind_to_interface_name = "SO_BINDTODEVICE";

int32_t sockeye_bind_to_interface(int32_t socket, const char *name) {
    // The kernel truncates longer names, and an empty name removes the restriction.
    size_t length = strlen(name);
    if (length == 0 || length >= IF_NAMESIZE) {
        return EINVAL;
    }
    return setsockopt(socket, SOL_SOCKET, SO_BINDTODEVICE, name, (socklen_t)length) == 0 ? 0 : errno;
}

bool sockeye_has_unacknowledged_data(int32_t socket) {
    struct tcp_info info;
    // Only the first fields of the structure are read, which every kernel fills in.
    socklen_t needed = offsetof(struct tcp_info, tcpi_unacked) + sizeof info.tcpi_unacked, size = needed;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size != needed) {
        return false;
    }
    return info.tcpi_retransmits > 0 && info.tcpi_unacked > 0;
}

int32_t sockeye_file_reopen(int32_t descriptor, uint32_t how) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return sockeye_file_open(sockeye_working_folder, path, how, 0600);
}

int32_t sockeye_creation_mask(void) { return (int32_t)sockeye_status_number("Umask:", 8); }

#if SOCKEYE_HAS_ALLOCATED_BYTES
ptrdiff_t sockeye_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (ptrdiff_t)(info.uordblks + info.hblkhd);
}
#endif

#endif
