#define _GNU_SOURCE
#include "OwnNetwork.h"

#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int bench_own_network(void) {
    if (unshare(CLONE_NEWNET) != 0) return -1;
    int socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {0};
    strcpy(request.ifr_name, "lo");
    int result = socket_ < 0 ? -1 : ioctl(socket_, SIOCGIFFLAGS, &request);
    request.ifr_flags |= IFF_UP;
    if (result == 0) result = ioctl(socket_, SIOCSIFFLAGS, &request);
    if (socket_ >= 0) close(socket_);
    if (result != 0) errno = ENETDOWN;
    return result;
}
