# Functions that other scripts source. They make release builds of the fuzz targets, the soak and the shortage test in
# Tests, each kind of build in its own folder.
swift="${SWIFT:-swift}"
# The sanitizer reports crashes. The backtrace of Swift's runtime would come first and take minutes.
export SWIFT_BACKTRACE=enable=no
# The package manager passes traits in the order of a hashed set, and another order compiles everything again.
export SWIFT_DETERMINISTIC_HASHING=1
# Foundation, OpenSSL and the runtime keep memory for the life of the process, which is not a leak.
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=0:handle_abort=1}"

# build FOLDER [arguments of `swift build`]: prints the log only if the build fails.
build() {
    local folder=$1
    shift
    mkdir -p "$folder"
    "$swift" build --configuration release --scratch-path "$folder" "$@" >"$folder/build.log" 2>&1 || {
        cat "$folder/build.log" >&2
        return 1
    }
}

# Builds with AddressSanitizer, for the fuzz targets, the soak and the shortage. All have coverage counters, so that
# they share their modules; the counters only make the soak somewhat slower. SANITIZED_TRAITS has the traits of the
# package (default: All, because the targets fuzz every part); see sanitized-traits.py.
sanitized_traits=${SANITIZED_TRAITS:-All}
asan_folder=.build-asan
[ "$sanitized_traits" = All ] || asan_folder=.build-asan-some
asan_build() {
    build "$asan_folder" --traits "$sanitized_traits" --sanitize=address \
        -Xswiftc -sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table "$@"
}
