// Addresses, their texts, and the look-up of names.
#include "Backend.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

_Static_assert(SOCKEYE_IPV6_TEXT_SIZE >= INET6_ADDRSTRLEN, "every text fits");

// MARK: Addresses

static void set(struct sockeye_address *address, const void *bytes, size_t length) {
    memcpy(address->storage, bytes, length);
    address->length = (uint32_t)length;
}

void sockeye_address_set_ipv4(struct sockeye_address *address, uint32_t bits, uint16_t port) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {.s_addr = bits}};
#ifndef __linux__
    v4.sin_len = sizeof v4;
#endif
    set(address, &v4, sizeof v4);
}

void sockeye_address_set_ipv6(
    struct sockeye_address *address, uint64_t high, uint64_t low, uint16_t port, uint32_t scope) {
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_scope_id = scope};
    uint64_t halves[] = {high, low};
    memcpy(&v6.sin6_addr, halves, sizeof halves);
#ifndef __linux__
    v6.sin6_len = sizeof v6;
#endif
    set(address, &v6, sizeof v6);
}

void sockeye_address_set_unix(struct sockeye_address *address, const char *path, ptrdiff_t count) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    memcpy(name.sun_path, path, (size_t)count);
    // An abstract name has no terminator: the length of the address determines its end. A path ends at its NUL.
    size_t length = offsetof(struct sockaddr_un, sun_path) + (size_t)count + (count > 0 && path[0] == 0 ? 0 : 1);
#ifndef __linux__
    name.sun_len = (unsigned char)length;
#endif
    set(address, &name, length);
}

static bool read_unix(const char *address, size_t length, struct sockeye_endpoint *endpoint) {
    const size_t start = offsetof(struct sockaddr_un, sun_path);
    endpoint->family = sockeye_family_unix;
    endpoint->path = address + start;
    endpoint->path_length = length > start ? (ptrdiff_t)(length - start) : 0;
    bool is_abstract = endpoint->path_length > 0 && endpoint->path[0] == 0;
    if (!is_abstract) {
        endpoint->path_length = (ptrdiff_t)strnlen(endpoint->path, (size_t)endpoint->path_length);
    }
    return true;
}

bool sockeye_address_read(const void *address, uint32_t length, struct sockeye_endpoint *endpoint) {
    *endpoint = (struct sockeye_endpoint){.family = sockeye_family_none};
    const size_t needed = offsetof(struct sockaddr, sa_family) + sizeof(sa_family_t);
    if (length < needed) {
        return false;
    }
    sa_family_t family;
    memcpy(&family, (const char *)address + offsetof(struct sockaddr, sa_family), sizeof family);
    if (family == AF_INET && length >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in v4;
        memcpy(&v4, address, sizeof v4);
        endpoint->family = sockeye_family_ipv4;
        endpoint->bits = v4.sin_addr.s_addr;
        endpoint->port = ntohs(v4.sin_port);
        return true;
    }
    if (family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 v6;
        memcpy(&v6, address, sizeof v6);
        endpoint->family = sockeye_family_ipv6;
        memcpy(&endpoint->high, &v6.sin6_addr, 8);
        memcpy(&endpoint->low, (const char *)&v6.sin6_addr + 8, 8);
        endpoint->port = ntohs(v6.sin6_port);
        endpoint->scope = v6.sin6_scope_id;
        return true;
    }
    return family == AF_UNIX && read_unix(address, length, endpoint);
}

ptrdiff_t sockeye_longest_unix_path(void) { return sizeof(((struct sockaddr_un *)0)->sun_path) - 1; }

// MARK: Texts

bool sockeye_parse_ipv4(const char *text, uint32_t *bits) {
    struct in_addr address;
    if (inet_pton(AF_INET, text, &address) != 1) {
        return false;
    }
    *bits = address.s_addr;
    return true;
}

bool sockeye_parse_ipv6(const char *text, uint64_t *high, uint64_t *low) {
    uint64_t halves[2];
    if (inet_pton(AF_INET6, text, halves) != 1) {
        return false;
    }
    *high = halves[0];
    *low = halves[1];
    return true;
}

void sockeye_ipv6_text(uint64_t high, uint64_t low, char *text) {
    uint64_t halves[] = {high, low};
    inet_ntop(AF_INET6, halves, text, SOCKEYE_IPV6_TEXT_SIZE);
}

uint32_t sockeye_interface_index(const char *name) { return if_nametoindex(name); }

// MARK: Look-ups

static struct sockeye_lookup_result failure(int code, int error) {
    switch (code) {
    case EAI_NONAME:
    // The name exists, but has no address, or no address of this machine's families. Not all systems have these codes.
#ifdef EAI_NODATA
    case EAI_NODATA:
#endif
#ifdef EAI_ADDRFAMILY
    case EAI_ADDRFAMILY:
#endif
        return (struct sockeye_lookup_result){sockeye_lookup_not_found, code, NULL};
    case EAI_SYSTEM: return (struct sockeye_lookup_result){sockeye_lookup_system_error, error, NULL};
    case EAI_MEMORY: return (struct sockeye_lookup_result){sockeye_lookup_system_error, ENOMEM, NULL};
    case EAI_AGAIN: return (struct sockeye_lookup_result){sockeye_lookup_temporary, code, NULL};
    default: return (struct sockeye_lookup_result){sockeye_lookup_other, code, gai_strerror(code)};
    }
}

struct sockeye_lookup_result sockeye_lookup(
    const char *host, void *context, void (*take)(void *context, const struct sockeye_endpoint *endpoint)) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *list = NULL;
    int code = getaddrinfo(host, NULL, &hints, &list);
    if (code != 0) {
        return failure(code, errno);
    }
    for (struct addrinfo *entry = list; entry != NULL; entry = entry->ai_next) {
        struct sockeye_endpoint endpoint;
        if (entry->ai_addr != NULL && sockeye_address_read(entry->ai_addr, entry->ai_addrlen, &endpoint)) {
            take(context, &endpoint);
        }
    }
    freeaddrinfo(list);
    return (struct sockeye_lookup_result){sockeye_lookup_done, 0, NULL};
}
