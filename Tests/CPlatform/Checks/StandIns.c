// Functions of libraries that are not here for other systems, so that programs for these systems can be linked: c-ares,
// and Darwin's libiconv. A function that the sources call and that is not named here is an undefined symbol. Nothing
// calls them, and the linker knows no types.
#include <stdlib.h>

#define STAND_IN(name)                                                                                               \
    void name(void) { abort(); }

STAND_IN(ares_cancel)
STAND_IN(ares_destroy)
STAND_IN(ares_freeaddrinfo)
STAND_IN(ares_getaddrinfo)
STAND_IN(ares_init_options)
STAND_IN(ares_library_init)
STAND_IN(ares_process_fd)
STAND_IN(ares_set_servers_ports_csv)
STAND_IN(ares_set_socket_functions)
STAND_IN(ares_strerror)
STAND_IN(ares_timeout)

#ifdef __APPLE__
STAND_IN(iconv)
STAND_IN(iconv_close)
STAND_IN(iconv_open)
#endif
