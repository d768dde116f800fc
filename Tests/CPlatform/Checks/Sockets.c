#include "Sockets.h"

#include "Check.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void set_nonblocking(int socket) { fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK); }

struct pair socket_pair(void) {
    int sockets[2] = {-1, -1};
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    set_nonblocking(sockets[0]);
    set_nonblocking(sockets[1]);
    return (struct pair){sockets[0], sockets[1]};
}

int tcp_listener(void) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    EXPECT(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    EXPECT(listen(listener, 8) == 0);
    return listener;
}

int tcp_connect(int listener) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    EXPECT(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
    int client = socket(AF_INET, SOCK_STREAM, 0);
    set_nonblocking(client);
    EXPECT(connect(client, (struct sockaddr *)&address, size) == 0 || errno == EINPROGRESS);
    return client;
}

struct pair tcp_pair(void) {
    int listener = tcp_listener(), client = tcp_connect(listener), server = accept(listener, NULL, NULL);
    EXPECT(server >= 0);
    set_nonblocking(server);
    close(listener);
    return (struct pair){client, server};
}

void close_pair(struct pair pair) {
    close(pair.ours);
    close(pair.theirs);
}

void fill(int socket) {
    static const char block[65536];
    while (send(socket, block, sizeof block, 0) > 0) {}
    EXPECT(errno == EAGAIN);
}

void drain(int socket) {
    char block[65536];
    while (recv(socket, block, sizeof block, 0) > 0) {}
}

void reset(int socket) {
    struct linger option = {1, 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, sizeof option);
    close(socket);
}

int open_descriptors(void) {
    int count = 0;
    for (int descriptor = 0; descriptor < 256; descriptor++) count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}
