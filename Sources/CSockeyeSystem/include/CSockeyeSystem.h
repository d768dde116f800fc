// Linux calls that Glibc's module map does not export to Swift.
#ifndef CSOCKEYE_SYSTEM_H
#define CSOCKEYE_SYSTEM_H

#include <arpa/inet.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "ByteBlocks.h"

// EPOLLET is an enum constant in C but does not fit Int32, so Swift cannot import it.
static const unsigned int sockeye_epollet = 1u << 31;

// Names the calling thread, as shown by debuggers and `top -H`; pthread_setname_np needs _GNU_SOURCE.
void sockeye_name_this_thread(const char *name);

// accept4 without the peer's address; accept4 needs _GNU_SOURCE.
int sockeye_accept(int listener, int flags);

// recv and send without flags, with MSG_PEEK or with MSG_NOSIGNAL, and without cancellation points. Glibc's own support
// pthread_cancel, which the library does not use, at the cost of two atomic operations per call.
ssize_t sockeye_receive(int socket, void *buffer, size_t count);
ssize_t sockeye_peek(int socket, void *buffer, size_t count);
ssize_t sockeye_send(int socket, const void *buffer, size_t count);

// rename(2) that fails with EEXIST if `to` exists; renameat2 needs _GNU_SOURCE. If the file system does not support it,
// link(2) and unlink(2) are used, which have the same effect.
int sockeye_rename_exclusively(const char *from, const char *to);

// pread(2) from the page cache only. Returns the number of bytes, which may be fewer than `count`. Otherwise returns
// the negative errno: EAGAIN if the disk would have to be read, EOPNOTSUPP or ENOSYS if the kernel cannot tell.
ssize_t sockeye_read_cached(int file, void *buffer, size_t count, off_t offset);

// Estimates how many of `count` bytes from `offset` are in the page cache. Checks one byte of each 128 KiB, the unit in
// which the kernel reads ahead and evicts. Bytes past the end of the file count as cached.
//
// If RWF_NOWAIT is not supported (tmpfs, overlayfs), mincore(2) is used, which tells the truth only to the file's
// owner: set `may_map` only for the owner. Returns the negative errno if neither works.
ssize_t sockeye_cached_prefix(int file, off_t offset, size_t count, int may_map);

// Asks the kernel to start writing a part of a file to disk. A hint without guarantee. sync_file_range needs
// _GNU_SOURCE.
void sockeye_write_back(int file, off_t offset, off_t count);

// The number of bytes of stack that the calling thread has left; 0 if unknown. pthread_getattr_np needs _GNU_SOURCE.
size_t sockeye_stack_left(void);

#endif
