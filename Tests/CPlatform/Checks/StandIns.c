// Stand-ins for functions of c-ares, which this machine does not have for other systems. They let programs for those
// systems be linked. If the sources call a function that is missing here, linking fails. No program runs the stand-ins,
// and the linker does not check their types.
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
