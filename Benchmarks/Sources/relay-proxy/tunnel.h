// A connection from a client through the proxy to a server.
#ifndef SOCKEYE_RELAY_TUNNEL_H
#define SOCKEYE_RELAY_TUNNEL_H

#include "end.h"

enum tunnel_state {
    // A CONNECT request is being read.
    in_head,
    // The methods of a SOCKS 5 client are being read, then its request (RFC 1928 3 and 4).
    in_methods,
    in_request,
    in_relay
};

struct tunnel {
    struct end client;
    struct end server;
    enum tunnel_state state;
    bool is_dead;
    size_t length;
    char text[8192];
};

struct tunnel *tunnel_make(int fd, bool with_tls, bool is_socks);
void tunnel_free(struct tunnel *tunnel);

// Takes bytes from the client before the tunnel is open; returns false if the tunnel is unusable. `server.fd` is set
// once the server is connected.
bool tunnel_negotiate(struct tunnel *tunnel, const char *bytes, size_t count);

#endif
