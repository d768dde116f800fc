// Files, by the calls that all supported systems have.
#include "Backend.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int32_t result(int outcome) { return outcome == 0 ? 0 : errno; }

static ptrdiff_t counted(ptrdiff_t count) { return count < 0 ? -errno : count; }

static int flags(uint32_t how) {
    int access = how & sockeye_open_write ? how & sockeye_open_read ? O_RDWR : O_WRONLY : O_RDONLY;
    return access | O_CLOEXEC | (how & sockeye_open_append ? O_APPEND : 0) | (how & sockeye_open_create ? O_CREAT : 0)
           | (how & sockeye_open_exclusive ? O_EXCL : 0) | (how & sockeye_open_no_link ? O_NOFOLLOW : 0)
           | (how & sockeye_open_no_wait ? O_NONBLOCK : 0) | (how & sockeye_open_no_terminal ? O_NOCTTY : 0)
           | (how & sockeye_open_folder ? O_DIRECTORY : 0);
}

int32_t sockeye_file_open(int32_t folder, const char *path, uint32_t how, uint32_t mode) {
    int descriptor = openat(folder, path, flags(how), (mode_t)mode);
#ifdef __FreeBSD__
    // FreeBSD reports a symbolic link with EMLINK, other systems with ELOOP.
    if (descriptor < 0 && errno == EMLINK && how & sockeye_open_no_link) {
        errno = ELOOP;
    }
#endif
    return descriptor;
}

int32_t sockeye_duplicate(int32_t descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

// MARK: Content

ptrdiff_t sockeye_file_read(int32_t file, void *room, ptrdiff_t count) {
    return counted(read(file, room, (size_t)count));
}

ptrdiff_t sockeye_file_read_at(int32_t file, void *room, ptrdiff_t count, ptrdiff_t position) {
    return counted(pread(file, room, (size_t)count, position));
}

#ifndef __APPLE__
ptrdiff_t sockeye_file_write(int32_t file, const void *bytes, ptrdiff_t count) {
    int32_t state = sockeye_pipe_signal_block();
    ptrdiff_t written = counted(write(file, bytes, (size_t)count));
    // If the reader closes while a write blocks, the kernel raises SIGPIPE even if the call returns the number of bytes
    // written before.
    sockeye_pipe_signal_restore(state, written < count);
    return written;
}
#endif

ptrdiff_t sockeye_file_write_at(int32_t file, const void *bytes, ptrdiff_t count, ptrdiff_t position) {
    return counted(pwrite(file, bytes, (size_t)count, position));
}

int32_t sockeye_file_truncate(int32_t file, ptrdiff_t count) { return result(ftruncate(file, count)); }

// MARK: Status

static int32_t describe(int outcome, const struct stat *status, struct sockeye_file_status *description) {
    if (outcome != 0) {
        return errno;
    }
#ifdef __APPLE__
    struct timespec modified = status->st_mtimespec, changed = status->st_ctimespec;
#else
    struct timespec modified = status->st_mtim, changed = status->st_ctim;
#endif
    *description = (struct sockeye_file_status){
        .device = (uint64_t)status->st_dev,
        .inode = (uint64_t)status->st_ino,
        .size = status->st_size,
        .link_count = (int64_t)status->st_nlink,
        .modified_seconds = modified.tv_sec,
        .modified_nanoseconds = modified.tv_nsec,
        .changed_seconds = changed.tv_sec,
        .changed_nanoseconds = changed.tv_nsec,
        .owner = status->st_uid,
        .group = status->st_gid,
        .mode = status->st_mode & 0777,
        .kind = S_ISREG(status->st_mode)   ? sockeye_file_regular
                : S_ISDIR(status->st_mode) ? sockeye_file_folder
                : S_ISLNK(status->st_mode) ? sockeye_file_link
                                           : sockeye_file_other,
    };
    return 0;
}

int32_t sockeye_file_examine(int32_t file, struct sockeye_file_status *description) {
    struct stat status;
    return describe(fstat(file, &status), &status, description);
}

int32_t sockeye_name_status(
    int32_t folder, const char *path, bool follows, struct sockeye_file_status *description) {
    struct stat status;
    return describe(fstatat(folder, path, &status, follows ? 0 : AT_SYMLINK_NOFOLLOW), &status, description);
}

int32_t sockeye_file_set_mode(int32_t file, uint32_t mode) { return result(fchmod(file, (mode_t)mode)); }

int32_t sockeye_file_set_group(int32_t file, uint32_t group) { return result(fchown(file, (uid_t)-1, (gid_t)group)); }

int32_t sockeye_file_lock(int32_t file) { return result(flock(file, LOCK_EX | LOCK_NB)); }

bool sockeye_may_read(const char *path, bool searches) { return access(path, searches ? R_OK | X_OK : R_OK) == 0; }

// MARK: Names

int32_t sockeye_create_folder(const char *path, uint32_t mode) { return result(mkdir(path, (mode_t)mode)); }

int32_t sockeye_rename(const char *from, const char *to) { return result(rename(from, to)); }

int32_t sockeye_rename_by_link(const char *from, const char *to) {
    return result(link(from, to) == 0 ? unlink(from) : -1);
}

int32_t sockeye_remove(int32_t folder, const char *path) { return result(unlinkat(folder, path, 0)); }

void *sockeye_folder_open(const char *path) { return opendir(path); }

const char *sockeye_folder_next(void *folder) {
    errno = 0;
    struct dirent *entry = readdir(folder);
    return entry == NULL ? NULL : entry->d_name;
}

void sockeye_folder_close(void *folder) { closedir(folder); }

#if SOCKEYE_HAS_SEND_FILE
bool sockeye_is_fault_of_file(int32_t error) {
    switch (error) {
    case EINVAL:
    case ENOSYS:
    case EOPNOTSUPP:
#if ENOTSUP != EOPNOTSUPP
    case ENOTSUP:
#endif
    case ESPIPE:
    case EOVERFLOW:
    case EIO:
    case ESTALE:
    case EPERM:
    case EACCES:
        return true;
    default:
        return false;
    }
}
#endif
