// sockeye_supports, and the calls of the features that this system lacks. Each of these fails or returns "unknown", as
// its header documents.
#include "Backend.h"

#include <stddef.h>

bool sockeye_supports(enum sockeye_feature feature) {
    switch (feature) {
    case sockeye_feature_send_file: return SOCKEYE_HAS_SEND_FILE;
    case sockeye_feature_cached_reads: return SOCKEYE_HAS_CACHED_READS;
    case sockeye_feature_low_water_mark: return SOCKEYE_HAS_LOW_WATER_MARK;
    case sockeye_feature_user_timeout: return SOCKEYE_HAS_USER_TIMEOUT;
    case sockeye_feature_fast_open: return SOCKEYE_HAS_FAST_OPEN;
    case sockeye_feature_multipath: return SOCKEYE_HAS_MULTIPATH;
    case sockeye_feature_bind_to_interface: return SOCKEYE_HAS_BIND_TO_INTERFACE;
    case sockeye_feature_routes: return SOCKEYE_HAS_ROUTES;
    case sockeye_feature_kernel_tls: return SOCKEYE_HAS_KERNEL_TLS;
    case sockeye_feature_abstract_names: return SOCKEYE_HAS_ABSTRACT_NAMES;
    case sockeye_feature_reopening: return SOCKEYE_HAS_REOPENING;
    case sockeye_feature_creation_mask: return SOCKEYE_HAS_CREATION_MASK;
    case sockeye_feature_acknowledgements: return SOCKEYE_HAS_ACKNOWLEDGEMENTS;
    case sockeye_feature_socket_protocol: return SOCKEYE_HAS_SOCKET_PROTOCOL;
    case sockeye_feature_allocated_bytes: return SOCKEYE_HAS_ALLOCATED_BYTES;
    }
    return false;
}

__attribute__((unused)) static int32_t refuse_descriptor(void) {
    sockeye_set_last_error(sockeye_error_not_supported);
    return -1;
}

#if !SOCKEYE_HAS_SEND_FILE
ptrdiff_t sockeye_send_file(int32_t socket, int32_t file, ptrdiff_t position, ptrdiff_t count) {
    (void)socket, (void)file, (void)position, (void)count;
    return -sockeye_error_not_supported;
}

bool sockeye_is_fault_of_file(int32_t error) { return error == sockeye_error_not_supported; }
#endif

#if !SOCKEYE_HAS_CACHED_READS
ptrdiff_t sockeye_file_read_cached(int32_t file, void *room, ptrdiff_t count, ptrdiff_t position) {
    (void)file, (void)room, (void)count, (void)position;
    return -sockeye_error_not_supported;
}

ptrdiff_t sockeye_file_cached_prefix(int32_t file, ptrdiff_t position, ptrdiff_t count, bool may_map) {
    (void)file, (void)position, (void)count, (void)may_map;
    return -sockeye_error_not_supported;
}

void sockeye_file_write_back(int32_t file, ptrdiff_t position, ptrdiff_t count) {
    (void)file, (void)position, (void)count;
}
#endif

#if !SOCKEYE_HAS_MULTIPATH
int32_t sockeye_socket_open_multipath(enum sockeye_family family) {
    (void)family;
    return refuse_descriptor();
}
#endif

#if !SOCKEYE_HAS_BIND_TO_INTERFACE
const char *const sockeye_bind_to_interface_name = "bind to interface";

int32_t sockeye_bind_to_interface(int32_t socket, const char *name) {
    (void)socket, (void)name;
    return sockeye_error_not_supported;
}
#endif

#if !SOCKEYE_HAS_SOCKET_PROTOCOL
int32_t sockeye_socket_protocol(int32_t socket) {
    (void)socket;
    return -1;
}
#endif

#if !SOCKEYE_HAS_ACKNOWLEDGEMENTS
bool sockeye_has_unacknowledged_data(int32_t socket) {
    (void)socket;
    return false;
}
#endif

#if !SOCKEYE_HAS_REOPENING
int32_t sockeye_file_reopen(int32_t descriptor, uint32_t how) {
    (void)descriptor, (void)how;
    return refuse_descriptor();
}
#endif

#if !SOCKEYE_HAS_CREATION_MASK
int32_t sockeye_creation_mask(void) { return -1; }
#endif

#if !SOCKEYE_HAS_ALLOCATED_BYTES
ptrdiff_t sockeye_allocated_bytes(void) { return 0; }
#endif

#if !SOCKEYE_HAS_ROUTES
int32_t sockeye_route_open(bool listens) {
    (void)listens;
    return refuse_descriptor();
}

ptrdiff_t sockeye_route_receive(int32_t socket, void *room, ptrdiff_t count, bool *is_of_kernel) {
    (void)socket, (void)room, (void)count;
    *is_of_kernel = false;
    return -sockeye_error_not_supported;
}

ptrdiff_t sockeye_route_send(int32_t socket, const void *bytes, ptrdiff_t count) {
    (void)socket, (void)bytes, (void)count;
    return -sockeye_error_not_supported;
}

bool sockeye_interface_is_wireless(const char *name) {
    (void)name;
    return false;
}

ptrdiff_t sockeye_interface_properties(const char *name, void *room, ptrdiff_t count) {
    (void)name, (void)room, (void)count;
    return 0;
}
#endif
