// Files, by path or descriptor. The calls block the thread.
#ifndef SOCKEYE_SYSTEM_FILES_H
#define SOCKEYE_SYSTEM_FILES_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The flags for opening a file: sockeye_open_read or sockeye_open_write or both, combined with any of the others.
static const uint32_t sockeye_open_read = 0x001;
static const uint32_t sockeye_open_write = 0x002;
// Every write goes to the end.
static const uint32_t sockeye_open_append = 0x004;
// Creates the file if it does not exist.
static const uint32_t sockeye_open_create = 0x008;
// Fails if the file exists.
static const uint32_t sockeye_open_exclusive = 0x010;
// Fails with sockeye_error_symbolic_link if the path ends in a symbolic link.
static const uint32_t sockeye_open_no_link = 0x020;
// Does not wait for the other end of a FIFO or for a device. The descriptor stays non-blocking.
static const uint32_t sockeye_open_no_wait = 0x040;
// A terminal does not become the process's controlling terminal.
static const uint32_t sockeye_open_no_terminal = 0x080;
// Fails unless the path names a folder.
static const uint32_t sockeye_open_folder = 0x100;

// Stands for the process's working directory where a call takes the descriptor of a folder.
static const int32_t sockeye_working_folder = AT_FDCWD;

// Opens a file. `mode` holds the permissions of a new file, before the process's umask applies.
int32_t sockeye_file_open(int32_t folder, const char *path, uint32_t how, uint32_t mode);

// Opens the same pipe or device a second time, with flags of its own. Fails with sockeye_error_not_supported on systems
// on which a second descriptor always shares the first one's open file.
int32_t sockeye_file_reopen(int32_t descriptor, uint32_t how);

// Another descriptor of the same open file.
int32_t sockeye_duplicate(int32_t descriptor);

// MARK: Content
//
// The transfers return the number of bytes or the negative error.

// Reads at the current offset, or at a position.
ptrdiff_t sockeye_file_read(int32_t file, void *room, ptrdiff_t count);
ptrdiff_t sockeye_file_read_at(int32_t file, void *room, ptrdiff_t count, ptrdiff_t position);

// Reads at a position from the page cache only, perhaps fewer bytes than are cached. Fails with
// sockeye_error_would_block if the disk would have to be read, and with another error if the system cannot tell.
ptrdiff_t sockeye_file_read_cached(int32_t file, void *room, ptrdiff_t count, ptrdiff_t position);

// Estimates how many of `count` bytes from `position` are in the page cache. Checks one byte of each 128 KiB. Bytes
// past the end of the file count as cached. `may_map` allows mincore(2), which tells the truth only to the file's
// owner and to users with write permission. Returns the negative error if the system cannot tell.
ptrdiff_t sockeye_file_cached_prefix(int32_t file, ptrdiff_t position, ptrdiff_t count, bool may_map);

// Writes at the current offset, without SIGPIPE, or at a position.
ptrdiff_t sockeye_file_write(int32_t file, const void *bytes, ptrdiff_t count);
ptrdiff_t sockeye_file_write_at(int32_t file, const void *bytes, ptrdiff_t count, ptrdiff_t position);

// Asks the system to start writing a part of the file to disk. A hint without guarantee.
void sockeye_file_write_back(int32_t file, ptrdiff_t position, ptrdiff_t count);

// Waits until all data is on disk.
int32_t sockeye_file_synchronize(int32_t file);
int32_t sockeye_file_truncate(int32_t file, ptrdiff_t count);

// MARK: Status

enum sockeye_file_kind { sockeye_file_other, sockeye_file_regular, sockeye_file_folder, sockeye_file_link };

struct sockeye_file_status {
    uint64_t device, inode;
    int64_t size, link_count;
    // The times of the last modification and of the last change of any kind: seconds since 1970 and nanoseconds.
    int64_t modified_seconds, modified_nanoseconds, changed_seconds, changed_nanoseconds;
    // The ids of the user and of the group that own the file.
    uint32_t owner, group;
    // The permission bits, 0777 at most.
    uint32_t mode;
    enum sockeye_file_kind kind;
};

int32_t sockeye_file_examine(int32_t file, struct sockeye_file_status *status);
// The status of a name in a folder: that of a symbolic link's target if `follows`, otherwise that of the link.
int32_t sockeye_name_status(int32_t folder, const char *path, bool follows, struct sockeye_file_status *status);
int32_t sockeye_file_set_mode(int32_t file, uint32_t mode);
int32_t sockeye_file_set_group(int32_t file, uint32_t group);

// Takes the exclusive lock of the file (flock(2)); sockeye_error_would_block if another open file holds it.
int32_t sockeye_file_lock(int32_t file);

// True if the process's real user may read the file or list the folder, and with `searches` also open files in the
// folder (access(2)).
bool sockeye_may_read(const char *path, bool searches);

// MARK: Names

int32_t sockeye_create_folder(const char *path, uint32_t mode);
// Renames a file atomically, and replaces any file at `to`.
int32_t sockeye_rename(const char *from, const char *to);
// Renames a file; fails with sockeye_error_exists if `to` exists. If the file system does not support that, the call
// uses link(2) and unlink(2), during which the file briefly has both names.
int32_t sockeye_rename_exclusively(const char *from, const char *to);
// Removes a name of a file.
int32_t sockeye_remove(int32_t folder, const char *path);

// Opens a folder to list its names; NULL on failure.
void *sockeye_folder_open(const char *path);
// The next name, including "." and "..", valid until the next call; NULL after the last, or on an error.
const char *sockeye_folder_next(void *folder);
void sockeye_folder_close(void *folder);

#endif
