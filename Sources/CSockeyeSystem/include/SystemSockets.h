// Sockets: all are non-blocking and close-on-exec, and never raise SIGPIPE.
//
// The transfers run for every request. They are inline where possible, and then report failure by -1, with the error in
// sockeye_last_error().
#ifndef SOCKEYE_SYSTEM_SOCKETS_H
#define SOCKEYE_SYSTEM_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "SystemAddresses.h"

// A range of memory to write; it has the layout of the system's iovec.
struct sockeye_vector {
    const void *base;
    size_t length;
};

// MARK: Transfers

#ifdef MSG_NOSIGNAL
#define SOCKEYE_SEND_FLAGS MSG_NOSIGNAL
#else
// Darwin's sockets have SO_NOSIGPIPE instead.
#define SOCKEYE_SEND_FLAGS 0
#endif

// recv(2); 0 is the end of the stream. On Linux it is called by syscall(2): glibc's functions support
// pthread_cancel(3), which the library does not use, at the cost of two atomic operations per call.
static inline ptrdiff_t sockeye_receive(int32_t socket, void *room, ptrdiff_t count) {
#ifdef __linux__
    return syscall(SYS_recvfrom, socket, room, count, 0, NULL, NULL);
#else
    return recv(socket, room, (size_t)count, 0);
#endif
}

// recv(2) with MSG_PEEK, which does not consume the bytes.
static inline ptrdiff_t sockeye_peek(int32_t socket, void *room, ptrdiff_t count) {
#ifdef __linux__
    return syscall(SYS_recvfrom, socket, room, count, MSG_PEEK, NULL, NULL);
#else
    return recv(socket, room, (size_t)count, MSG_PEEK);
#endif
}

// send(2).
static inline ptrdiff_t sockeye_send(int32_t socket, const void *bytes, ptrdiff_t count) {
#ifdef __linux__
    return syscall(SYS_sendto, socket, bytes, count, MSG_NOSIGNAL, NULL, 0);
#else
    return send(socket, bytes, (size_t)count, SOCKEYE_SEND_FLAGS);
#endif
}

// sendmsg(2), for streams and datagrams.
static inline ptrdiff_t sockeye_send_vectors(int32_t socket, const struct sockeye_vector *vectors, ptrdiff_t count) {
    struct msghdr message = {.msg_iov = (struct iovec *)(void *)vectors};
    // The type is size_t or int, depending on the system.
    message.msg_iovlen = (__typeof__(message.msg_iovlen))count;
    return sendmsg(socket, &message, SOCKEYE_SEND_FLAGS);
}

// Receives a datagram, or bytes of a stream, with the sender's address (recvfrom(2)). `length` is the capacity of
// `address`, then its length; both may be NULL. Returns the number of bytes or the negative error.
ptrdiff_t sockeye_receive_from(int32_t socket, void *room, ptrdiff_t count, void *address, uint32_t *length);

// Sends without waiting for buffer space. The socket may belong to another owner and be blocking; the call does not
// wait even then. Returns the number of bytes or the negative error.
ptrdiff_t sockeye_send_now(int32_t socket, const void *bytes, ptrdiff_t count);

// Copies from a file to a socket (sendfile(2)). Returns the number of bytes or the negative error.
ptrdiff_t sockeye_send_file(int32_t socket, int32_t file, ptrdiff_t position, ptrdiff_t count);

// True if an error of sockeye_send_file may concern the file: its file system does not support the call, or reading the
// file failed. False for errors of the socket.
bool sockeye_is_fault_of_file(int32_t error);

// MARK: Opening and closing

// Opens a stream socket.
int32_t sockeye_socket_open(enum sockeye_family family);

// Opens an MPTCP socket (RFC 8684), which is used like a TCP socket. Fails with sockeye_error_not_supported if the
// system has no MPTCP.
int32_t sockeye_socket_open_multipath(enum sockeye_family family);

// Opens a socket by the system's own numbers, which another C library such as c-ares passes.
int32_t sockeye_socket_open_raw(int32_t domain, int32_t type, int32_t protocol);

// connect(2); 0 if the connection is established at once.
int32_t sockeye_connect(int32_t socket, const void *address, uint32_t length);
int32_t sockeye_bind(int32_t socket, const void *address, uint32_t length);
int32_t sockeye_listen(int32_t socket, int32_t backlog);

// Restricts a socket to a network interface. Fails with sockeye_error_invalid_argument if the name is empty or too long
// for an interface.
int32_t sockeye_bind_to_interface(int32_t socket, const char *name);
// The system's name of that call, such as "SO_BINDTODEVICE", for error texts.
extern const char *const sockeye_bind_to_interface_name;

// Accepts a connection.
int32_t sockeye_accept(int32_t listener);

// Ends the writing direction, or both.
int32_t sockeye_shutdown(int32_t socket, bool only_writing);

// Makes sockeye_close send a reset and drop unsent data.
void sockeye_reset_when_closed(int32_t socket);

// Closes a descriptor of any kind.
void sockeye_close(int32_t descriptor);

// MARK: State

enum sockeye_option {
    sockeye_option_reuse_address,
    // In bytes; the system may grant more or less.
    sockeye_option_send_buffer_size,
    sockeye_option_receive_buffer_size,
    // The least number of received bytes with which the socket counts as readable.
    sockeye_option_read_low_water_mark,
    sockeye_option_keep_alive,
    // Sends small segments at once.
    sockeye_option_no_delay,
    // The time in ms that sent data may stay unacknowledged.
    sockeye_option_user_timeout,
    // The silence before the first keep-alive probe and the time between probes, in seconds.
    sockeye_option_keep_alive_idle,
    sockeye_option_keep_alive_interval,
    // The number of unanswered probes until the connection is dropped.
    sockeye_option_keep_alive_count,
    // Sends the SYN with the first written bytes if the peer has given a cookie before (RFC 7413).
    sockeye_option_fast_open_connect,
};

// Sets or reads an integer option. Fails with sockeye_error_not_supported or sockeye_error_no_such_option if the system
// or this kind of socket does not have the option.
int32_t sockeye_socket_set(int32_t socket, enum sockeye_option option, int32_t value);
int32_t sockeye_socket_get(int32_t socket, enum sockeye_option option, int32_t *value);

// Returns and clears the pending error of a socket.
int32_t sockeye_take_error(int32_t socket);

// True if a descriptor refers to a socket.
bool sockeye_is_socket(int32_t descriptor);

// The protocol of a socket: 6 for TCP, 262 for MPTCP; negative if unknown.
int32_t sockeye_socket_protocol(int32_t socket);

// True if the peer's system has not acknowledged bytes that were retransmitted: the bytes or the acknowledgement got
// lost, or the peer's system is gone. False for sockets other than TCP, and if unknown.
bool sockeye_has_unacknowledged_data(int32_t socket);

// The addresses of both ends; false on failure.
bool sockeye_local_address(int32_t socket, struct sockeye_address *address);
bool sockeye_peer_address(int32_t socket, struct sockeye_address *address);

#endif
