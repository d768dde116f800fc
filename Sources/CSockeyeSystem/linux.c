// The calls that differ by system, for Linux. Features of Linux that other systems lack are in linux-extras.c.
#include "Backend.h"

#ifdef __linux__

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>

int32_t sockeye_socket_open_raw(int32_t domain, int32_t type, int32_t protocol) {
    return socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
}

int32_t sockeye_accept(int32_t listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

bool sockeye_find_option(enum sockeye_option option, struct sockeye_option_number *number) {
    *number = (struct sockeye_option_number){IPPROTO_TCP, 0, 0};
    switch (option) {
    case sockeye_option_keep_alive_idle:
        number->name = TCP_KEEPIDLE;
        return true;
#if SOCKEYE_HAS_USER_TIMEOUT
    case sockeye_option_user_timeout:
        number->name = TCP_USER_TIMEOUT;
        number->milliseconds = 1;
        return true;
#endif
#if SOCKEYE_HAS_FAST_OPEN
    case sockeye_option_fast_open_connect:
        number->name = TCP_FASTOPEN_CONNECT;
        return true;
#endif
    default:
        return false;
    }
}

int32_t sockeye_rename_exclusively(const char *from, const char *to) {
    // By syscall(2), because not every C library has a function for it. 1 is RENAME_NOREPLACE.
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1) == 0) {
        return 0;
    }
    return errno == EINVAL || errno == ENOSYS ? sockeye_rename_by_link(from, to) : errno;
}

int32_t sockeye_file_synchronize(int32_t file) { return fsync(file) == 0 ? 0 : errno; }

void sockeye_thread_set_name(const char *name) { pthread_setname_np(pthread_self(), name); }

ptrdiff_t sockeye_stack_left(void) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return 0;
    }
    void *lowest = NULL;
    size_t size = 0;
    int failure = pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    // Takes the address of the frame and not of a variable, because sanitizers may store variables elsewhere.
    const char *here = __builtin_frame_address(0);
    if (failure != 0 || here <= (const char *)lowest || (size_t)(here - (const char *)lowest) > size) {
        return 0;
    }
    return here - (const char *)lowest;
}

int32_t sockeye_descriptor_open_any(void) { return eventfd(0, EFD_CLOEXEC); }

int32_t sockeye_descriptor_count(void) { return sockeye_descriptors_in("/proc/self/fd"); }

long long sockeye_status_number(const char *name, int base) {
    FILE *status = fopen("/proc/self/status", "re");
    if (status == NULL) {
        return -1;
    }
    char line[256];
    long long number = -1;
    while (number < 0 && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            number = strtoll(line + strlen(name), NULL, base);
        }
    }
    fclose(status);
    return number;
}

ptrdiff_t sockeye_peak_resident_bytes(void) {
    long long kilobytes = sockeye_status_number("VmHWM:", 10);
    return kilobytes < 0 ? 0 : (ptrdiff_t)kilobytes << 10;
}

const char *sockeye_root_bundle(int32_t index) {
    static const char *const bundles[] = {
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/ssl/cert.pem",
    };
    return index < (int32_t)(sizeof bundles / sizeof *bundles) ? bundles[index] : NULL;
}

#endif
