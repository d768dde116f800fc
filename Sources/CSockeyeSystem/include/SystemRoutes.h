// Routes and network interfaces, by messages in the format of rtnetlink(7). Without SOCKEYE_HAS_ROUTES every call
// fails, or returns false or 0, and callers treat the network as unknown.
#ifndef SOCKEYE_SYSTEM_ROUTES_H
#define SOCKEYE_SYSTEM_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Opens a netlink socket. With `listens`, it receives a message for every change of links, addresses, routes and rules.
// Fails with sockeye_error_not_supported on systems without such messages.
int32_t sockeye_route_open(bool listens);

// Receives a datagram; `is_of_kernel` is false if another process has sent it. Returns the number of bytes or the
// negative error, such as sockeye_error_no_buffers if the kernel had to drop messages.
ptrdiff_t sockeye_route_receive(int32_t socket, void *room, ptrdiff_t count, bool *is_of_kernel);

// Sends a query to the kernel. Returns the number of bytes or the negative error.
ptrdiff_t sockeye_route_send(int32_t socket, const void *bytes, ptrdiff_t count);

// True if an interface is wireless. `name` has no slash and is not "..".
bool sockeye_interface_is_wireless(const char *name);

// Reads the properties of an interface as lines "NAME=value". Returns the number of bytes; 0 if unknown.
ptrdiff_t sockeye_interface_properties(const char *name, void *room, ptrdiff_t count);

#endif
