// Sockets, by the calls that all supported systems have.
#include "Backend.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/un.h>
#include <unistd.h>

// Calls such as sendmsg(2) take a sockeye_vector as an iovec, without conversion.
_Static_assert(sizeof(struct sockeye_vector) == sizeof(struct iovec), "the layout is iovec's");
_Static_assert(offsetof(struct sockeye_vector, length) == offsetof(struct iovec, iov_len), "the layout is iovec's");
_Static_assert(sizeof(struct sockeye_address) >= sizeof(struct sockaddr_storage), "every address fits");
_Static_assert(sizeof(ptrdiff_t) == 8 && sizeof(off_t) == 8, "sizes and positions have 64 bits");

static int32_t result(int outcome) { return outcome == 0 ? 0 : errno; }

ptrdiff_t sockeye_receive_from(int32_t socket, void *room, ptrdiff_t count, void *address, uint32_t *length) {
    ptrdiff_t received = recvfrom(socket, room, (size_t)count, 0, address, length);
    return received < 0 ? -errno : received;
}

#ifndef __APPLE__
ptrdiff_t sockeye_send_now(int32_t socket, const void *bytes, ptrdiff_t count) {
    ptrdiff_t sent = send(socket, bytes, (size_t)count, SOCKEYE_SEND_FLAGS | MSG_DONTWAIT);
    return sent < 0 ? -errno : sent;
}
#endif

int32_t sockeye_socket_open(enum sockeye_family family) {
    static const int32_t domains[] = {AF_UNSPEC, AF_INET, AF_INET6, AF_UNIX};
    return sockeye_socket_open_raw(domains[family], SOCK_STREAM, 0);
}

int32_t sockeye_connect(int32_t socket, const void *address, uint32_t length) {
    return result(connect(socket, address, length));
}

int32_t sockeye_bind(int32_t socket, const void *address, uint32_t length) {
    return result(bind(socket, address, length));
}

int32_t sockeye_listen(int32_t socket, int32_t backlog) { return result(listen(socket, backlog)); }

int32_t sockeye_shutdown(int32_t socket, bool only_writing) {
    return result(shutdown(socket, only_writing ? SHUT_WR : SHUT_RDWR));
}

void sockeye_reset_when_closed(int32_t socket) {
    struct linger option = {1, 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, sizeof option);
}

void sockeye_close(int32_t descriptor) { close(descriptor); }

// Finds the numbers of an option; false if the system lacks the option.
static bool find(enum sockeye_option option, struct sockeye_option_number *number) {
    *number = (struct sockeye_option_number){SOL_SOCKET, 0, 0};
    switch (option) {
    case sockeye_option_reuse_address: number->name = SO_REUSEADDR; return true;
    case sockeye_option_send_buffer_size: number->name = SO_SNDBUF; return true;
    case sockeye_option_receive_buffer_size: number->name = SO_RCVBUF; return true;
    case sockeye_option_read_low_water_mark: number->name = SO_RCVLOWAT; return SOCKEYE_HAS_LOW_WATER_MARK;
    case sockeye_option_keep_alive: number->name = SO_KEEPALIVE; return true;
    case sockeye_option_no_delay: *number = (struct sockeye_option_number){IPPROTO_TCP, TCP_NODELAY, 0}; return true;
    case sockeye_option_keep_alive_interval:
        *number = (struct sockeye_option_number){IPPROTO_TCP, TCP_KEEPINTVL, 0};
        return true;
    case sockeye_option_keep_alive_count:
        *number = (struct sockeye_option_number){IPPROTO_TCP, TCP_KEEPCNT, 0};
        return true;
    case sockeye_option_user_timeout:
    case sockeye_option_keep_alive_idle:
    case sockeye_option_fast_open_connect: return sockeye_find_option(option, number);
    }
    return false;
}

int32_t sockeye_socket_set(int32_t socket, enum sockeye_option option, int32_t value) {
    struct sockeye_option_number number;
    if (!find(option, &number)) {
        return sockeye_error_not_supported;
    }
    if (number.milliseconds > 1) {
        // Rounded up, because 0 stands for the system's default.
        value = value / number.milliseconds + (value % number.milliseconds != 0);
    }
    return result(setsockopt(socket, number.level, number.name, &value, sizeof value));
}

int32_t sockeye_socket_get(int32_t socket, enum sockeye_option option, int32_t *value) {
    struct sockeye_option_number number;
    if (!find(option, &number)) {
        return sockeye_error_not_supported;
    }
    socklen_t size = sizeof *value;
    int32_t error = result(getsockopt(socket, number.level, number.name, value, &size));
    if (error == 0 && number.milliseconds > 1) {
        // A value that was rounded up may exceed the range.
        *value = *value > INT32_MAX / number.milliseconds ? INT32_MAX : *value * number.milliseconds;
    }
    return error;
}

int32_t sockeye_take_error(int32_t socket) {
    int code = 0;
    socklen_t size = sizeof code;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno;
}

bool sockeye_is_socket(int32_t descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

bool sockeye_local_address(int32_t socket, struct sockeye_address *address) {
    address->length = sizeof address->storage;
    return getsockname(socket, (struct sockaddr *)address->storage, &address->length) == 0;
}

bool sockeye_peer_address(int32_t socket, struct sockeye_address *address) {
    address->length = sizeof address->storage;
    return getpeername(socket, (struct sockaddr *)address->storage, &address->length) == 0;
}

#if SOCKEYE_HAS_SOCKET_PROTOCOL
int32_t sockeye_socket_protocol(int32_t socket) {
    int number = 0;
    socklen_t size = sizeof number;
    return getsockopt(socket, SOL_SOCKET, SO_PROTOCOL, &number, &size) == 0 ? number : -1;
}
#endif
