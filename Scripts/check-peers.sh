#!/usr/bin/env bash
# If they have changed: compiles the programs that use async-http-client, and runs the tests of the example that was
# ported from it.
#
# The programs are client-ahc in Benchmarks and MirrorExampleBefore in Examples. Because async-http-client takes longer
# to compile than Sockeye, `make test` and the other steps of .ci/run leave these programs out (SOCKEYE_PEERS in the
# manifests). Scripts/peers.sum has the checksum of their sources from the last run that passed. ALWAYS=1 ignores the
# checksum. After a change, commit the new checksum.
set -euo pipefail
cd "$(dirname "$0")/.."
swift="${SWIFT:-swift}"
record=Scripts/peers.sum

# Of Sockeye, only the public declarations (Scripts/api) count.
mapfile -t files < <(git ls-files Benchmarks/Package.swift Benchmarks/Sources Examples/Package.swift \
    'Examples/Sources/MirrorExample*' Examples/Tests/MirrorExampleTests Scripts/api Scripts/check-peers.sh)
sum=$(sha256sum "${files[@]}" | sha256sum | cut -d' ' -f1)
if [ -z "${ALWAYS:-}" ] && [ "$sum" = "$(cat "$record" 2>/dev/null)" ]; then
    echo 'check-peers: nothing has changed since the last run that passed'
    exit 0
fi

Scripts/install-deps.sh bench
Scripts/install-deps.sh test
export SOCKEYE_SHARED_BUILD=1 SOCKEYE_PEERS=1 SWIFT_DETERMINISTIC_HASHING=1
"$swift" build --package-path Benchmarks --scratch-path .build --product client-ahc
of_examples=(--package-path Examples --scratch-path .build)
"$swift" build --build-tests "${of_examples[@]}"
tests="$("$swift" build "${of_examples[@]}" --show-bin-path)/sockeye-examplesPackageTests.xctest"
"$tests" --testing-library swift-testing --filter '^MirrorExampleTests\.' | grep -E '^(✘|✔ Test run)'
if [ "$sum" != "$(cat "$record" 2>/dev/null)" ]; then
    echo "$sum" >"$record"
    echo "check-peers: $record has changed; commit it"
fi
