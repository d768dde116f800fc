// Wrappers for libcurl, which sets every option with a variadic function, because Swift cannot call those. Also a timer
// that can be polled, which Swift's module of the C library lacks.
#ifndef SOCKEYE_CCURL_SHIM_H
#define SOCKEYE_CCURL_SHIM_H

#include <curl/curl.h>
#include <sys/timerfd.h>

static inline CURLcode bench_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode bench_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode bench_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*bench_curl_data)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode bench_curl_set_function(CURL *handle, CURLoption option, bench_curl_data function) {
    return curl_easy_setopt(handle, option, function);
}

static inline long bench_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

static inline CURLMcode bench_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Returns the handle of a finished transfer and its result; NULL without a finished transfer.
static inline CURL *bench_curl_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

// Returns a descriptor that becomes readable at an interval of less than a second; -1 on failure.
static inline int bench_timer(long nanoseconds) {
    int descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct timespec interval = {.tv_nsec = nanoseconds};
    struct itimerspec setting = {.it_interval = interval, .it_value = interval};
    timerfd_settime(descriptor, 0, &setting, NULL);
    return descriptor;
}

#endif
