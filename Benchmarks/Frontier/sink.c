// The server of uploads: one thread, which serves one connection after the other. It discards bytes without copying
// them (MSG_TRUNC), so that the sender is the limit, and answers a request with the number of bytes of its body.
#define _GNU_SOURCE
#include "clients.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Reads a head byte by byte, so that it never takes bytes of the body.
static uint64_t read_head(int fd) {
    char head[1024];
    size_t held = 0;
    while (held < 4 || memcmp(head + held - 4, "\r\n\r\n", 4) != 0) {
        if (held == sizeof head - 1 || recv(fd, head + held, 1, 0) != 1) return 0;
        held++;
    }
    head[held] = 0;
    unsigned long long length = 0;
    const char *field = strstr(head, "Content-Length: ");
    return field != NULL && sscanf(field, "Content-Length: %llu", &length) == 1 ? length : 0;
}

static void serve(int fd) {
    static char nowhere[1 << 20];
    uint64_t length = read_head(fd), received = 0;
    while (received < length) {
        uint64_t most = length - received < sizeof nowhere ? length - received : sizeof nowhere;
        ssize_t count = recv(fd, nowhere, most, MSG_TRUNC);
        if (count <= 0) return;
        received += (uint64_t)count;
    }
    char body[32], answer[128];
    int body_length = snprintf(body, sizeof body, "%llu", (unsigned long long)received);
    int count = snprintf(answer, sizeof answer, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", body_length, body);
    if (send(fd, answer, (size_t)count, MSG_NOSIGNAL) != count) fprintf(stderr, "frontier: an upload without an answer\n");
}

void serve_uploads(const struct plan *plan) {
    (void)plan;
    int listener = listen_on_loopback();
    while (true) {
        struct pollfd ends[] = {{.fd = listener, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR) fail_with("poll", errno);
        if (ends[1].revents != 0) return;
        if (ends[0].revents == 0) continue;
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0) continue;
        serve(fd);
        close(fd);
    }
}
