// The calls of the platform for files, threads, clocks and the process.
#include "CSockeyeSystem.h"
#include "Check.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// MARK: Files

static char folder[] = "/tmp/sockeye-check-XXXXXX";

static const char *path(int index, const char *name) {
    static char paths[2][sizeof folder + 16];
    snprintf(paths[index], sizeof paths[index], "%s/%s", folder, name);
    return paths[index];
}

static int32_t make_file(const char *name) {
    uint32_t how = sockeye_open_read | sockeye_open_write | sockeye_open_create;
    return sockeye_file_open(sockeye_working_folder, path(0, name), how, 0600);
}

static void contents(void) {
    char room[8] = {0};
    int32_t file = make_file("contents");
    EXPECT(sockeye_file_write(file, "abc", 3) == 3);
    EXPECT(sockeye_file_write_at(file, "de", 2, 3) == 2);
    EXPECT(sockeye_file_read_at(file, room, 8, 1) == 4 && memcmp(room, "bcde", 4) == 0);
    EXPECT(sockeye_file_synchronize(file) == 0);
    ptrdiff_t cached = sockeye_file_read_cached(file, room, 8, 0);
    EXPECT(cached == 5 || cached < 0);
    cached = sockeye_file_cached_prefix(file, 0, 5, true);
    EXPECT(cached == 5 || cached == 0 || cached < 0);
    EXPECT(sockeye_file_truncate(file, 2) == 0);
    struct sockeye_file_status status;
    EXPECT(sockeye_file_examine(file, &status) == 0);
    EXPECT(status.size == 2 && status.mode == 0600 && status.kind == sockeye_file_regular && status.link_count == 1);
    EXPECT(status.owner == sockeye_user_id());
    close(file);
    EXPECT(sockeye_remove(sockeye_working_folder, path(0, "contents")) == 0);
}

static void renames(void) {
    close(make_file("first"));
    close(make_file("second"));
    EXPECT(sockeye_rename_exclusively(path(0, "first"), path(1, "second")) == sockeye_error_exists);
    EXPECT(sockeye_rename_exclusively(path(0, "first"), path(1, "third")) == 0);
    EXPECT(sockeye_rename(path(0, "third"), path(1, "second")) == 0);
    EXPECT(sockeye_remove(sockeye_working_folder, path(0, "first")) == sockeye_error_not_found);
    EXPECT(sockeye_remove(sockeye_working_folder, path(0, "second")) == 0);
}

static void links_and_locks(void) {
    int32_t file = make_file("file");
    EXPECT(symlink(path(0, "file"), path(1, "link")) == 0);
    uint32_t how = sockeye_open_read | sockeye_open_no_link;
    EXPECT(sockeye_file_open(sockeye_working_folder, path(1, "link"), how, 0) < 0);
    EXPECT(sockeye_last_error() == sockeye_error_symbolic_link);
    int32_t other = make_file("file");
    EXPECT(sockeye_file_lock(file) == 0);
    EXPECT(sockeye_file_lock(other) == sockeye_error_would_block);
    close(file);
    close(other);
    sockeye_remove(sockeye_working_folder, path(0, "file"));
    sockeye_remove(sockeye_working_folder, path(1, "link"));
}

// MARK: Threads

__attribute__((noinline)) static ptrdiff_t left_deeper(void) {
    char room[4096];
    // Keeps the compiler from removing `room` before or after the call.
    __asm__ volatile("" : : "r"(room) : "memory");
    ptrdiff_t left = sockeye_stack_left();
    __asm__ volatile("" : : "r"(room) : "memory");
    return left;
}

static void *measure_stack(void *argument) {
    ptrdiff_t left = sockeye_stack_left(), deeper = left_deeper();
    *(int *)argument = left > 16384 && left < 1 << 20 && deeper > 0 && deeper <= left - 4096;
    return NULL;
}

static void stack(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    int is_right = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    EXPECT(pthread_create(&thread, &attributes, measure_stack, &is_right) == 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    EXPECT(is_right);
}

static struct sockeye_condition *condition;
static int is_blocked;

static void *started(void *argument) {
    sigset_t signals;
    sockeye_thread_set_name("sockeye-check");
    pthread_sigmask(SIG_SETMASK, NULL, &signals);
    sockeye_condition_lock(condition);
    is_blocked = sigismember(&signals, SIGTERM) == 1 && sockeye_thread_current() != (uintptr_t)argument;
    sockeye_condition_wake_one(condition);
    sockeye_condition_unlock(condition);
    return NULL;
}

static void thread_and_condition(void) {
    condition = sockeye_condition_create();
    sockeye_condition_lock(condition);
    EXPECT(sockeye_thread_start(started, (void *)sockeye_thread_current()) == 0);
    int64_t limit = sockeye_monotonic_nanoseconds() + 5000000000;
    while (!is_blocked && !sockeye_condition_wait(condition, limit)) {}
    EXPECT(is_blocked);
    // A wait until a time before the clock began ends at once, and a wait until a later time ends at that time.
    EXPECT(sockeye_condition_wait(condition, -1));
    limit = sockeye_monotonic_nanoseconds() + 20000000;
    while (!sockeye_condition_wait(condition, limit)) {}
    EXPECT(sockeye_monotonic_nanoseconds() >= limit);
    sockeye_condition_unlock(condition);
    sockeye_condition_free(condition);
}

// MARK: The process

static void process(void) {
    EXPECT(sockeye_process_id() == getpid());
    mode_t mask = umask(027);
    int32_t known = sockeye_creation_mask();
    umask(mask);
    EXPECT(known == (sockeye_supports(sockeye_feature_creation_mask) ? 027 : -1));
    int32_t before = sockeye_descriptor_count(), another = sockeye_descriptor_open_any();
    EXPECT(before > 0 && another >= 0);
    EXPECT(sockeye_descriptor_count() == before + 1);
    close(another);
    EXPECT(sockeye_descriptor_limit() > before);
    void *volatile block = malloc(1 << 20);
    EXPECT(!sockeye_supports(sockeye_feature_allocated_bytes) || sockeye_allocated_bytes() >= 1 << 20);
    free(block);
    EXPECT(sockeye_peak_resident_bytes() > 100000);
    int32_t bundles = 0;
    while (sockeye_root_bundle(bundles)) bundles++;
    EXPECT(bundles > 0);
}

static void random_and_dates(void) {
    unsigned char first[16] = {0}, second[16] = {0};
    EXPECT(sockeye_random_fill(first, 16) && sockeye_random_fill(second, 16));
    EXPECT(memcmp(first, second, 16) != 0);
    EXPECT(sockeye_unix_time_of(1994, 11, 6, 8, 49, 37) == 784111777);
    EXPECT(sockeye_unix_time() > 1700000000);
}

static void look_up_error(const char *host, enum sockeye_lookup_outcome expected) {
    struct sockeye_lookup_result result = sockeye_lookup(host, NULL, NULL);
    EXPECT(result.outcome == expected);
}

static void note_address(void *context, const struct sockeye_endpoint *endpoint) {
    *(int *)context = endpoint->family == sockeye_family_ipv4 && endpoint->bits != 0;
}

static void look_ups(void) {
    int is_found = 0;
    EXPECT(sockeye_lookup("127.0.0.1", &is_found, note_address).outcome == sockeye_lookup_done);
    EXPECT(is_found);
    look_up_error("a name with spaces", sockeye_lookup_not_found);
}

static const struct check checks[] = {
    {"files are written, read and described", contents},
    {"a rename replaces, or refuses to", renames},
    {"links are refused and locks exclude", links_and_locks},
    {"the rest of a stack is measured", stack},
    {"a thread starts with blocked signals, and a condition waits by the clock", thread_and_condition},
    {"the process describes itself", process},
    {"random bytes and dates", random_and_dates},
    {"look-ups and their errors", look_ups},
};

int main(void) {
    if (mkdtemp(folder) == NULL) return 1;
    int status = CHECK_ALL("files, threads, process", checks);
    rmdir(folder);
    return status;
}
