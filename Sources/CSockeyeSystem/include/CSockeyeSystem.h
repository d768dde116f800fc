// The Linux calls that Glibc's module map does not show to Swift.
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

// Names the calling thread, as debuggers and `top -H` show it; pthread_setname_np needs _GNU_SOURCE.
void sockeye_name_this_thread(const char *name);

// accept4 without the peer's address; accept4 needs _GNU_SOURCE.
int sockeye_accept(int listener, int flags);

// recv and send without flags, with MSG_PEEK or with MSG_NOSIGNAL, and without being cancellation points: Glibc's own pay for
// pthread_cancel, which nobody here uses, with two atomic operations a call.
ssize_t sockeye_receive(int socket, void *buffer, size_t count);
ssize_t sockeye_peek(int socket, void *buffer, size_t count);
ssize_t sockeye_send(int socket, const void *buffer, size_t count);

// rename that fails with EEXIST when there is something at `to`; renameat2 needs _GNU_SOURCE. Where the file system does
// not know that, a link is made and the old name removed, which does the same.
int sockeye_rename_exclusively(const char *from, const char *to);

// pread of what is in the system's cache already: the number of bytes, which may be fewer than asked for, or the negative
// errno: EAGAIN where the disk would have to be waited for, EOPNOTSUPP or ENOSYS where that cannot be told.
ssize_t sockeye_read_cached(int file, void *buffer, size_t count, off_t offset);

// How many bytes from `offset` on look as if they were in the system's cache, up to `count`. One byte of each 128 KiB is
// looked at, which is how much the kernel reads ahead and evicts together. Behind the end of the file everything counts as
// cached. Where RWF_NOWAIT is not supported (tmpfs, overlayfs) mincore tells, but the truth only to the file's owner:
// `may_map` says whether it may be believed. Negative errno where neither tells.
ssize_t sockeye_cached_prefix(int file, off_t offset, size_t count, int may_map);

// Has the kernel begin to bring a part of a file to the disk. A hint: it promises nothing. sync_file_range needs _GNU_SOURCE.
void sockeye_write_back(int file, off_t offset, off_t count);

// The bytes of stack that the calling thread has left; 0 if nobody knows. pthread_getattr_np needs _GNU_SOURCE.
size_t sockeye_stack_left(void);

#endif
