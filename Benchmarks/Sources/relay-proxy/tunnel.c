#define _GNU_SOURCE
#include "tunnel.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct tunnel *tunnel_make(int fd, bool with_tls, bool is_socks) {
    struct tunnel *tunnel = calloc(1, sizeof *tunnel);
    if (tunnel == NULL) {
        abort();
    }
    tunnel->state = is_socks ? in_methods : in_head;
    end_open(&tunnel->client, fd, with_tls, tunnel);
    end_open(&tunnel->server, -1, false, tunnel);
    return tunnel;
}

void tunnel_free(struct tunnel *tunnel) {
    end_close(&tunnel->client);
    end_close(&tunnel->server);
    free(tunnel);
}

// Connects to a server. Servers are on this machine, so connecting succeeds or fails at once.
static bool open_server(struct tunnel *tunnel, int port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    if (fd < 0) {
        return false;
    }
    tunnel->server.fd = fd;
    tunnel->state = in_relay;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
           fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0;
}

// Handles "CONNECT host:port HTTP/1.1"; only the port is used.
static bool end_head(struct tunnel *tunnel) {
    static const char method[] = "CONNECT ", answer[] = "HTTP/1.1 200 OK\r\n\r\n";
    char *target = tunnel->text + sizeof method - 1;
    char *target_end = strchr(target, ' ');
    if (strncmp(tunnel->text, method, sizeof method - 1) != 0 || target_end == NULL) {
        return false;
    }
    *target_end = 0;
    char *colon = strrchr(target, ':');
    return colon != NULL && open_server(tunnel, atoi(colon + 1)) &&
           end_send(&tunnel->client, answer, sizeof answer - 1);
}

// Returns the length of a SOCKS message; 0 if it is incomplete.
static size_t socks_length(const struct tunnel *tunnel) {
    const unsigned char *text = (const unsigned char *)tunnel->text;
    if (tunnel->state == in_methods) {
        return tunnel->length < 2 ? 0 : 2 + (size_t)text[1];
    }
    if (tunnel->length < 5) {
        return 0;
    }
    size_t address = text[3] == 1 ? 4 : text[3] == 4 ? 16 : 1 + (size_t)text[4];
    return 4 + address + 2;
}

static bool end_socks(struct tunnel *tunnel, size_t length) {
    const unsigned char *text = (const unsigned char *)tunnel->text;
    static const char no_authentication[] = {5, 0};
    static const char connected[] = {5, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    if (text[0] != 5) {
        return false;
    }
    if (tunnel->state == in_methods) {
        tunnel->state = in_request;
        return end_send(&tunnel->client, no_authentication, sizeof no_authentication);
    }
    int port = text[length - 2] << 8 | text[length - 1];
    return text[1] == 1 && open_server(tunnel, port) && end_send(&tunnel->client, connected, sizeof connected);
}

bool tunnel_negotiate(struct tunnel *tunnel, const char *bytes, size_t count) {
    if (tunnel->length + count >= sizeof tunnel->text) {
        return false;
    }
    memcpy(tunnel->text + tunnel->length, bytes, count);
    tunnel->length += count;
    tunnel->text[tunnel->length] = 0;
    if (tunnel->state == in_head) {
        return strstr(tunnel->text, "\r\n\r\n") == NULL || end_head(tunnel);
    }
    size_t length = socks_length(tunnel);
    if (length == 0 || tunnel->length < length) {
        return true;
    }
    tunnel->length = 0;
    return end_socks(tunnel, length);
}
