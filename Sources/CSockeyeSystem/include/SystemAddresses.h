// Socket addresses: the system's own bytes with a length, and their parts.
#ifndef SOCKEYE_SYSTEM_ADDRESSES_H
#define SOCKEYE_SYSTEM_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sockeye_family { sockeye_family_none, sockeye_family_ipv4, sockeye_family_ipv6, sockeye_family_unix };

// An address in the form that the system's calls take (sockaddr_storage).
struct sockeye_address {
    uint64_t storage[16];
    // The number of used bytes.
    uint32_t length;
};

// The parts of an address.
struct sockeye_endpoint {
    enum sockeye_family family;
    // In host byte order.
    uint16_t port;
    // The address in network byte order; IPv4 only.
    uint32_t bits;
    // The first and the last eight bytes of the address in network byte order, and the interface index of a link-local
    // address or 0; IPv6 only.
    uint64_t high, low;
    uint32_t scope;
    // The path of a unix-domain socket: a pointer into the address that was passed to sockeye_address_read. An abstract
    // name begins with a NUL.
    const char *path;
    ptrdiff_t path_length;
};

void sockeye_address_set_ipv4(struct sockeye_address *address, uint32_t bits, uint16_t port);
void sockeye_address_set_ipv6(
    struct sockeye_address *address, uint64_t high, uint64_t low, uint16_t port, uint32_t scope);
// `count` is at most sockeye_longest_unix_path().
void sockeye_address_set_unix(struct sockeye_address *address, const char *path, ptrdiff_t count);

// Reads an address that the system or a library has filled in, at any alignment; false for other families and for
// addresses that are too short.
bool sockeye_address_read(const void *address, uint32_t length, struct sockeye_endpoint *endpoint);

// The longest path of a unix-domain socket, in bytes.
ptrdiff_t sockeye_longest_unix_path(void);

// Parses an IP literal, without brackets or a zone (inet_pton(3)).
bool sockeye_parse_ipv4(const char *text, uint32_t *bits);
bool sockeye_parse_ipv6(const char *text, uint64_t *high, uint64_t *low);

// The capacity for sockeye_ipv6_text, with its NUL.
enum { SOCKEYE_IPV6_TEXT_SIZE = 46 };
// Writes an IPv6 address in its shortest form (RFC 5952).
void sockeye_ipv6_text(uint64_t high, uint64_t low, char *text);

// The index of a network interface; 0 if it does not exist.
uint32_t sockeye_interface_index(const char *name);

// The outcome of a look-up.
enum sockeye_lookup_outcome {
    sockeye_lookup_done,
    // The name does not exist, or has no address.
    sockeye_lookup_not_found,
    // The name servers cannot be reached, or have no answer at the moment.
    sockeye_lookup_temporary,
    // `code` is an error of the system.
    sockeye_lookup_system_error,
    // `code` is a code of the resolver, with its `text`.
    sockeye_lookup_other,
};

struct sockeye_lookup_result {
    enum sockeye_lookup_outcome outcome;
    int32_t code;
    const char *text;
};

// Looks up the addresses of a name (getaddrinfo(3)), which blocks the thread. Calls `take` with each address in the
// order of RFC 6724; an address may occur more than once.
struct sockeye_lookup_result sockeye_lookup(
    const char *host, void *context, void (*take)(void *context, const struct sockeye_endpoint *endpoint));

#endif
