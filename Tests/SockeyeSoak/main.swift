import Glibc
import SockeyeEssentials

// The environment variables COUNT (exchanges), SEED and CONCURRENCY configure the run. The exit status is 0 if all
// exchanges ended as expected and no resource leaked.
let environment = ProcessInfo.processInfo.environment
let run = SoakRun(
    count: environment["COUNT"].flatMap { Int($0) } ?? 20_000,
    seed: environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000),
    concurrency: environment["CONCURRENCY"].flatMap { Int($0) } ?? 128
) { text in
    print(text)
    fflush(nil)
}
do {
    try await run.run()
} catch {
    print("soak: failed: \(error)")
    exit(EXIT_FAILURE)
}
