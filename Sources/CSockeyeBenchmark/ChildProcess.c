#define _GNU_SOURCE
#include "ChildProcess.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int spawn(struct bench_child *child, char *const arguments[], int input, int output) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (error == 0) {
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    }
    if (error == 0) {
        error = posix_spawn(&child->process, "/proc/self/exe", &actions, NULL, arguments, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int bench_child_start(struct bench_child *child, const char *first, const char *second) {
    // Sockets instead of pipes: socketpair(2) makes both ends close-on-exec, so the child keeps only the two ends that
    // become its standard input and output.
    int input[2], output[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0) {
        return errno;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, output) != 0) {
        int error = errno;
        close(input[0]);
        close(input[1]);
        return error;
    }
    char *arguments[] = {"sockeye-benchmark", (char *)first, (char *)second, NULL};
    int error = spawn(child, arguments, input[0], output[0]);
    close(input[0]);
    close(output[0]);
    child->lifeline = input[1];
    child->output = output[1];
    if (error != 0) {
        close(child->lifeline);
        close(child->output);
    }
    return error;
}

long bench_child_read(struct bench_child child, char *buffer, size_t room, int milliseconds) {
    const long deadline = milliseconds_now() + milliseconds;
    size_t count = 0;
    while (count < room) {
        struct pollfd wait = {.fd = child.output, .events = POLLIN};
        long left = deadline - milliseconds_now();
        int ready = left > 0 ? poll(&wait, 1, (int)left) : 0;
        if (ready == 0) {
            return -ETIMEDOUT;
        }
        ssize_t received = ready < 0 ? -1 : read(child.output, buffer + count, room - count);
        if (received == 0) {
            return (long)count;
        }
        if (received > 0) {
            count += (size_t)received;
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return -ENOBUFS;
}

void bench_child_end(struct bench_child child) {
    close(child.lifeline);
    close(child.output);
    const struct timespec pause = {.tv_nsec = 5000000};
    const long deadline = milliseconds_now() + 2000;
    while (waitpid(child.process, NULL, WNOHANG) == 0) {
        if (milliseconds_now() >= deadline) {
            kill(child.process, SIGKILL);
            while (waitpid(child.process, NULL, 0) < 0 && errno == EINTR) {
            }
            return;
        }
        nanosleep(&pause, NULL);
    }
}

void bench_wait_for_parent(void) {
    fclose(stdout);
    char byte;
    ssize_t count;
    do {
        count = read(STDIN_FILENO, &byte, 1);
    } while (count > 0 || (count < 0 && errno == EINTR));
}
