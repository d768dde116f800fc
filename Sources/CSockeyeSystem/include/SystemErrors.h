// Names for the system's error numbers, and the optional features of a system.
#ifndef SOCKEYE_SYSTEM_ERRORS_H
#define SOCKEYE_SYSTEM_ERRORS_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

// The error of the last failed call on this thread. Read it before any other call.
static inline int32_t sockeye_last_error(void) { return errno; }
static inline void sockeye_set_last_error(int32_t error) { errno = error; }

// The system's text for an error.
const char *sockeye_error_text(int32_t error);

// The call would block.
static const int32_t sockeye_error_would_block = EAGAIN;
// A signal interrupted the call before it did anything: call again.
static const int32_t sockeye_error_interrupted = EINTR;
// The connection is being established.
static const int32_t sockeye_error_in_progress = EINPROGRESS;
static const int32_t sockeye_error_connection_reset = ECONNRESET;
static const int32_t sockeye_error_connection_aborted = ECONNABORTED;
static const int32_t sockeye_error_connection_refused = ECONNREFUSED;
static const int32_t sockeye_error_not_connected = ENOTCONN;
static const int32_t sockeye_error_host_unreachable = EHOSTUNREACH;
static const int32_t sockeye_error_network_unreachable = ENETUNREACH;
static const int32_t sockeye_error_timed_out = ETIMEDOUT;
// The peer has closed the connection; for writes.
static const int32_t sockeye_error_broken_pipe = EPIPE;
static const int32_t sockeye_error_access_denied = EACCES;
static const int32_t sockeye_error_not_permitted = EPERM;
static const int32_t sockeye_error_invalid_argument = EINVAL;
static const int32_t sockeye_error_busy = EBUSY;
static const int32_t sockeye_error_family_not_supported = EAFNOSUPPORT;
// The socket or the system does not support this.
static const int32_t sockeye_error_not_supported = EOPNOTSUPP;
// The protocol of the socket has no such option.
static const int32_t sockeye_error_no_such_option = ENOPROTOOPT;
static const int32_t sockeye_error_address_in_use = EADDRINUSE;
static const int32_t sockeye_error_address_not_available = EADDRNOTAVAIL;
static const int32_t sockeye_error_no_memory = ENOMEM;
// The system has no buffers for sockets left.
static const int32_t sockeye_error_no_buffers = ENOBUFS;
// The process has as many descriptors as its limit allows.
static const int32_t sockeye_error_too_many_descriptors = EMFILE;
// The system has as many open files as its limit allows.
static const int32_t sockeye_error_too_many_files = ENFILE;
// No space on the device, or a table of the kernel is full.
static const int32_t sockeye_error_no_space = ENOSPC;
static const int32_t sockeye_error_bad_descriptor = EBADF;
static const int32_t sockeye_error_not_found = ENOENT;
static const int32_t sockeye_error_exists = EEXIST;
// The path names a folder, but the call needs a file.
static const int32_t sockeye_error_is_folder = EISDIR;
static const int32_t sockeye_error_not_a_folder = ENOTDIR;
static const int32_t sockeye_error_name_too_long = ENAMETOOLONG;
// Too many symbolic links, or a symbolic link where the call allows none. FreeBSD's O_NOFOLLOW fails with another
// number, which sockeye_file_open converts to this one.
static const int32_t sockeye_error_symbolic_link = ELOOP;
static const int32_t sockeye_error_quota_exceeded = EDQUOT;
static const int32_t sockeye_error_file_too_large = EFBIG;
static const int32_t sockeye_error_input_output = EIO;
// The file no longer exists on its network file server (NFS).
static const int32_t sockeye_error_stale = ESTALE;
static const int32_t sockeye_error_read_only_file_system = EROFS;
// A pipe or socket where the call needs a position.
static const int32_t sockeye_error_not_seekable = ESPIPE;

// Optional features. If the system lacks one, its calls fail or return "unknown" (missing.c).
enum sockeye_feature {
    // sockeye_send_file.
    sockeye_feature_send_file,
    // sockeye_file_read_cached, sockeye_file_cached_prefix and sockeye_file_write_back.
    sockeye_feature_cached_reads,
    // sockeye_option_read_low_water_mark: the readiness queue reports data only once that many bytes have arrived.
    sockeye_feature_low_water_mark,
    // sockeye_option_user_timeout.
    sockeye_feature_user_timeout,
    // sockeye_option_fast_open_connect.
    sockeye_feature_fast_open,
    // sockeye_socket_open_multipath.
    sockeye_feature_multipath,
    // sockeye_bind_to_interface.
    sockeye_feature_bind_to_interface,
    // The calls of SystemRoutes.h.
    sockeye_feature_routes,
    // Kernel TLS through OpenSSL's socket BIO.
    sockeye_feature_kernel_tls,
    // Abstract names of unix-domain sockets, which are not in the file system.
    sockeye_feature_abstract_names,
    // sockeye_file_reopen.
    sockeye_feature_reopening,
    // sockeye_creation_mask.
    sockeye_feature_creation_mask,
    // sockeye_has_unacknowledged_data.
    sockeye_feature_acknowledgements,
    // sockeye_socket_protocol.
    sockeye_feature_socket_protocol,
    // sockeye_allocated_bytes.
    sockeye_feature_allocated_bytes,
};

bool sockeye_supports(enum sockeye_feature feature);

#endif
