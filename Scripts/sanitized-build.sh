# For scripts to read: release builds of the programs in Tests that attack the library, each kind in a folder of its own.
swift="${SWIFT:-swift}"
# A crash is explained by the sanitizer; the runtime's own explanation would come first and take minutes.
export SWIFT_BACKTRACE=enable=no
# Traits are passed in the order of a hashed set, and another order is another build.
export SWIFT_DETERMINISTIC_HASHING=1
# What Foundation, OpenSSL and the runtime keep for the life of the process is no leak.
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=0:handle_abort=1}"

# build FOLDER [arguments of `swift build`]: says nothing unless it fails.
build() {
    local folder=$1
    shift
    mkdir -p "$folder"
    "$swift" build --configuration release --scratch-path "$folder" "$@" >"$folder/build.log" 2>&1 || {
        cat "$folder/build.log" >&2
        return 1
    }
}

# With AddressSanitizer, for the fuzz targets and the soak alike. Coverage is counted for both, since they could not share
# the modules otherwise; it costs the soak some speed and nothing else. With all traits: the targets fuzz every part.
asan_build() {
    build .build-asan --traits All --sanitize=address -Xswiftc -sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table "$@"
}
