// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors with Swift 6.3 or later (SE-0480). Older compilers warn about code that 6.3 requires.
#if compiler(>=6.3)
let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
let warnings: [SwiftSetting] = []
#endif

/// The language settings of Sockeye itself; the manifest above this folder explains them.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + warnings

/// True if Benchmarks/Scripts/codings.sh builds a separate client with the codings. They are off by default.
let hasCodings = Context.environment["SOCKEYE_BENCH_CODINGS"] != nil
/// .ci/run only compiles the benchmarks, in the folder of the library's own tests and with the traits of that build.
let isShared = Context.environment["SOCKEYE_SHARED_BUILD"] != nil
let traits: Set<Package.Dependency.Trait> =
    isShared ? ["All"] : hasCodings ? ["Observability", "Brotli", "Zstandard", "ISAL"] : ["Observability"]

let package = Package(
    name: "sockeye-benchmarks",
    products: [.library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"])],
    dependencies: [
        .package(name: "sockeye", path: "..", traits: traits),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        // The library that is preloaded into a client to count its allocations; no target links it.
        .target(name: "AllocationCounter"),

        // Code that all clients share: the command line, the loop, the clock and the result. It does not use
        // Foundation.
        .target(name: "CInstructions"),
        .target(name: "CHeap"),
        .target(name: "CCores"),
        .target(name: "BenchmarkKit", dependencies: ["CInstructions", "CHeap"], swiftSettings: settings),

        // The clients, each an executable.
        .executableTarget(
            name: "client-sockeye",
            dependencies: [
                "BenchmarkKit", .product(name: "Sockeye", package: "sockeye"),
                .product(name: "SockeyeTransfers", package: "sockeye"),
            ],
            swiftSettings: settings
        ),
        // The cost of observability: Benchmarks/Scripts/observed.sh.
        .executableTarget(
            name: "client-observed",
            dependencies: [
                "BenchmarkKit", "ObservabilityBackends",
                .product(name: "Sockeye", package: "sockeye"),
                .product(name: "SockeyeObservability", package: "sockeye"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // Backends for logs, metrics and spans that do as little work as possible.
        .target(
            name: "ObservabilityBackends",
            dependencies: [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "client-ahc",
            dependencies: [
                "BenchmarkKit", "CCores", "ObservabilityBackends",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationEssentialsCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "_NIOFileSystem", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        // A command that compares WebSocket clients: Sockeye, NIO and Python.
        .executableTarget(
            name: "websocket-bench",
            dependencies: [
                .product(name: "SockeyeWebSocket", package: "sockeye"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "client-urlsession", dependencies: ["BenchmarkKit"], swiftSettings: settings),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .executableTarget(name: "client-curl", dependencies: ["BenchmarkKit", "CCurl"], swiftSettings: settings),

        // Servers and proxies besides nginx, and the programs that run clients.
        .executableTarget(name: "upload-sink", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .executableTarget(name: "relay-proxy", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .executableTarget(name: "holding-server"),
        .executableTarget(name: "stamped-exec"),
        .executableTarget(name: "counted-exec"),
        .target(name: "CGzip", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CKernelWork"),
        .target(name: "BenchmarkReport", dependencies: ["BenchmarkKit"], swiftSettings: settings),
        .testTarget(
            name: "BenchmarkReportTests", dependencies: ["BenchmarkReport", "CKernelWork"], swiftSettings: settings),
        .executableTarget(
            name: "sockeye-bench",
            dependencies: [
                "BenchmarkKit", "BenchmarkReport", "CGzip", "CKernelWork",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
    ]
)
