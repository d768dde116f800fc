// Routes by rtnetlink(7), and properties of network interfaces by sysfs(5).
#include "Backend.h"

#if defined(__linux__) && SOCKEYE_HAS_ROUTES

#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <unistd.h>

int32_t sockeye_route_open(bool listens) {
    int32_t number = sockeye_socket_open_raw(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    if (number < 0 || !listens) {
        return number;
    }
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV4_RULE | RTMGRP_IPV6_IFADDR
                     | RTMGRP_IPV6_ROUTE | 1 << (RTNLGRP_IPV6_RULE - 1),
    };
    if (bind(number, (const struct sockaddr *)&address, sizeof address) == 0) {
        return number;
    }
    int error = errno;
    close(number);
    errno = error;
    return -1;
}

// The kernel's messages come from port id 0 (netlink(7)). Privileged processes may send to the socket too.
ptrdiff_t sockeye_route_receive(int32_t socket, void *room, ptrdiff_t count, bool *is_of_kernel) {
    struct sockaddr_nl sender = {.nl_pid = UINT32_MAX};
    socklen_t length = sizeof sender;
    ptrdiff_t received = recvfrom(socket, room, (size_t)count, 0, (struct sockaddr *)&sender, &length);
    *is_of_kernel = sender.nl_pid == 0;
    return received < 0 ? -errno : received;
}

ptrdiff_t sockeye_route_send(int32_t socket, const void *bytes, ptrdiff_t count) {
    ptrdiff_t sent = send(socket, bytes, (size_t)count, 0);
    return sent < 0 ? -errno : sent;
}

bool sockeye_interface_is_wireless(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/sys/class/net/%s/wireless", name);
    return access(path, F_OK) == 0;
}

ptrdiff_t sockeye_interface_properties(const char *name, void *room, ptrdiff_t count) {
    char path[64];
    snprintf(path, sizeof path, "/sys/class/net/%s/uevent", name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    ptrdiff_t length = read(file, room, (size_t)count);
    close(file);
    return length < 0 ? 0 : length;
}

#endif
