// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors with Swift 6.3 or later (SE-0480). Older compilers warn about code that 6.3 requires.
#if compiler(>=6.3)
let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
let warnings: [SwiftSetting] = []
#endif

// A separate package, so that packages that depend on Sockeye never build the examples.

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    ] + warnings

/// Scripts/run-tests.sh builds the examples in the folder of the library's own tests, with the traits of that build.
let traits: Set<Package.Dependency.Trait> = Context.environment["SOCKEYE_SHARED_BUILD"] == nil ? ["Service"] : ["All"]

/// False if the build leaves out the examples with NIO, Hummingbird and swift-crypto, as Scripts/run-tests.sh does.
/// These packages take about half as long to compile as the library with its tests.
let hasFrameworks = Context.environment["SOCKEYE_WITHOUT_FRAMEWORKS"] == nil

/// True if the build asks for MirrorExampleBefore, as Scripts/compile-changed.py does. Its dependency async-http-client
/// takes longer to compile than Sockeye.
let hasMirrorBefore = Context.environment["SOCKEYE_ASYNC_HTTP_CLIENT"] != nil

let sockeye: Target.Dependency = .product(name: "Sockeye", package: "sockeye")
let transfers: Target.Dependency = .product(name: "SockeyeTransfers", package: "sockeye")
let streams: Target.Dependency = .product(name: "SockeyeStreams", package: "sockeye")
let cache: Target.Dependency = .product(name: "SockeyeCache", package: "sockeye")
let diagnostics: Target.Dependency = .product(name: "SockeyeDiagnostics", package: "sockeye")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let sockeyeTesting: Target.Dependency = .product(name: "SockeyeTesting", package: "sockeye")

let package = Package(
    name: "sockeye-examples",
    products: [
        .executable(name: "demo", targets: ["SockeyeDemo"]),
        .executable(name: "streaming", targets: ["Streaming"]),
        .executable(name: "sockeye", targets: ["SockeyeTool"]),
        .executable(name: "observed", targets: ["ObservedDemo"]),
    ],
    dependencies: [
        .package(name: "sockeye", path: "..", traits: traits),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    ],
    targets: [
        // `make demo`: shows features of the client with their speed and memory.
        .executableTarget(name: "SockeyeDemo", dependencies: [sockeye, sockeyeTesting], swiftSettings: settings),

        // A chat completion and the tail of a log, shown as they arrive; run them with `swift run streaming`.
        .executableTarget(
            name: "Streaming", dependencies: [sockeye, streams, sockeyeTesting], swiftSettings: settings
        ),

        // `sockeye`: the command line. SockeyeToolKit has its decisions and the format of its output as values.
        .target(name: "SockeyeToolKit", dependencies: [sockeye, transfers, diagnostics], swiftSettings: settings),
        .executableTarget(
            name: "SockeyeTool",
            dependencies: [
                sockeye, transfers, streams, diagnostics, "SockeyeToolKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // Tests of the values in SockeyeToolKit, and of the built executable against test servers.
        .testTarget(
            name: "SockeyeToolTests",
            dependencies: ["SockeyeToolKit", "SockeyeTool", sockeye, transfers, diagnostics, sockeyeTesting],
            swiftSettings: settings
        ),

        // A small API client, and three ways to test it.
        .target(name: "UserService", dependencies: [sockeye], swiftSettings: settings),
        .testTarget(name: "UserServiceTests", dependencies: ["UserService", sockeyeTesting], swiftSettings: settings),

        // A service in operation: logs, metrics, spans, settings and a graceful shutdown. `swift run observed` prints
        // the logs, metrics and spans of a call.
        .target(
            name: "ObservedService",
            dependencies: [
                sockeye, sockeyeTesting,
                .product(name: "SockeyeObservability", package: "sockeye"),
                .product(name: "SockeyeService", package: "sockeye"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "ObservedDemo", dependencies: ["ObservedService"], swiftSettings: settings),
        .testTarget(
            name: "ObservedServiceTests",
            dependencies: [
                "ObservedService", sockeyeTesting,
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: settings
        ),

    ]
)

// Jobs, adapters and programs with packages of others.
if hasFrameworks {
    package.products.append(.executable(name: "jobs", targets: ["Jobs"]))
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // Stand-ins with the declarations that the adapters use. To build an adapter with the real package, replace its
        // line by that of the comment.
        // .package(url: "https://github.com/apple/swift-openapi-runtime", from: "1.11.0"),
        .package(path: "StandIns/swift-openapi-runtime"),
        // .package(url: "https://github.com/soto-project/soto-core", from: "7.13.0"),
        .package(path: "StandIns/soto-core"),
        // .package(url: "https://github.com/vapor/vapor", from: "4.122.0"),
        .package(path: "StandIns/vapor"),
    ]
    package.targets += [
        // Twenty common jobs, each in as few lines as possible; run them with `swift run jobs`.
        .executableTarget(
            name: "Jobs",
            dependencies: [
                sockeye, transfers, streams, sockeyeTesting, hummingbird,
                .product(name: "SockeyeObservability", package: "sockeye"),
                .product(name: "SockeyeService", package: "sockeye"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "JobsTests", dependencies: ["Jobs", sockeyeTesting], swiftSettings: settings),

        // A program that was ported from async-http-client; see MigrationFromAsyncHTTPClient.md.
        .target(
            name: "MirrorExample",
            dependencies: [transfers, .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MirrorExampleTests",
            dependencies: [
                "MirrorExample", sockeye, sockeyeTesting, .product(name: "Crypto", package: "swift-crypto"),
            ] + (hasMirrorBefore ? ["MirrorExampleBefore"] : []),
            swiftSettings: settings + (hasMirrorBefore ? [.define("ASYNC_HTTP_CLIENT")] : [])
        ),

        // Adapters: values of NIO, and Sockeye as the client of Swift OpenAPI Generator, Soto and Vapor (Adapters.md).
        .target(
            name: "SockeyeNIO",
            dependencies: [
                sockeye, .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SockeyeOpenAPI",
            dependencies: [sockeye, .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime")],
            swiftSettings: settings
        ),
        .target(
            name: "SockeyeSoto",
            dependencies: [
                sockeye, "SockeyeNIO", .product(name: "SotoCore", package: "soto-core"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SockeyeVapor",
            dependencies: [
                sockeye, "SockeyeNIO", .product(name: "Vapor", package: "vapor"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AdaptersTests",
            dependencies: [
                "SockeyeNIO", "SockeyeOpenAPI", "SockeyeSoto", "SockeyeVapor", sockeye, sockeyeTesting,
                .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
                .product(name: "SotoCore", package: "soto-core"), .product(name: "Vapor", package: "vapor"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),

        // A gateway: a Hummingbird server whose handler forwards requests and streams both bodies.
        .target(
            name: "Gateway",
            dependencies: [sockeye, "SockeyeNIO", hummingbird, .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GatewayTests",
            dependencies: ["Gateway", hummingbird, sockeyeTesting], swiftSettings: settings
        ),

        // A cache that several machines share: a store of your own on a Valkey or Redis server.
        .target(
            name: "SharedCache",
            dependencies: [
                sockeye, cache, .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SharedCacheTests",
            dependencies: ["SharedCache", cache, sockeyeTesting, .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: settings
        ),
    ]
}

// The same program before it was ported.
if hasMirrorBefore {
    package.dependencies.append(.package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"))
    package.targets.append(
        .target(
            name: "MirrorExampleBefore",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings
        ))
}
