// swift-tools-version: 6.2
import PackageDescription

/// Language settings of the lowest target, whose inlinable code calls what it imports.
let platformSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableExperimentalFeature("Lifetimes"),  // SE-0446: spans as computed properties
    .strictMemorySafety(),  // SE-0458: each use of a pointer says `unsafe`
    .treatAllWarnings(as: .error),  // SE-0480
]

/// Language settings of every other target; each name links to the proposal that explains it.
let settings =
    platformSettings + [
        .enableUpcomingFeature("InternalImportsByDefault")  // SE-0409
    ]

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")

// What the traits of the same names ask for.
let logging: Target.Dependency = .product(
    name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"]))
let metrics: Target.Dependency = .product(
    name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"]))
let tracing: Target.Dependency = .product(
    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"]))
let serviceLifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"]))
let configuration: Target.Dependency = .product(
    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"]))
let ares: Target.Dependency = .target(name: "CSockeyeAres", condition: .when(traits: ["AsyncDNS"]))
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["DiskCache"]))

let package = Package(
    name: "sockeye",
    products: [
        .library(name: "Sockeye", targets: ["Sockeye"]),
        // A package builds and links only the products that it imports. XML and images need further system libraries.
        .library(name: "SockeyePropertyLists", targets: ["SockeyePropertyLists"]),
        .library(name: "SockeyeArchiving", targets: ["SockeyeArchiving"]),
        .library(name: "SockeyeXML", targets: ["SockeyeXML"]),
        .library(name: "SockeyeImages", targets: ["SockeyeImages"]),
        .library(name: "SockeyeFoundation", targets: ["SockeyeFoundation"]),
        .library(name: "SockeyeWebSocket", targets: ["SockeyeWebSocket"]),
        .library(name: "SockeyeDiskCache", targets: ["SockeyeDiskCache"]),
        .library(name: "SockeyeTesting", targets: ["SockeyeTesting"]),
        // The server-side ecosystem, by the traits below: without them these two are next to empty.
        .library(name: "SockeyeObservability", targets: ["SockeyeObservability"]),
        .library(name: "SockeyeService", targets: ["SockeyeService"]),
    ],
    // Off by default: no dependent could turn off a trait that is on, and packages of unused traits are not resolved.
    traits: [
        .trait(name: "Brotli", description: "The content coding br, by libbrotli (apt: libbrotli-dev)"),
        .trait(name: "Zstandard", description: "The content coding zstd, by libzstd (apt: libzstd-dev)"),
        .trait(name: "ISAL", description: "gzip and deflate decoded by ISA-L instead of zlib (apt: libisal-dev)"),
        .trait(name: "AsyncDNS", description: "DNSResolver: look-ups by c-ares, without threads (apt: libc-ares-dev)"),
        .trait(name: "DiskCache", description: "SockeyeDiskCache: by GRDB and SQLite (apt: libsqlite3-dev)"),
        .trait(name: "Logging", description: "SockeyeObservability: logs to swift-log"),
        .trait(name: "Metrics", description: "SockeyeObservability: metrics for swift-metrics"),
        .trait(name: "Tracing", description: "SockeyeObservability: spans of swift-distributed-tracing"),
        .trait(name: "ServiceLifecycle", description: "SockeyeService: swift-service-lifecycle runs a client"),
        .trait(name: "Configuration", description: "SockeyeService: settings from swift-configuration"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // Each is resolved only where a trait asks for it.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // System libraries and the few system calls that Glibc's module map lacks.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
        .systemLibrary(name: "CZstandard", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CAres", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"])]),
        .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .target(name: "CSockeyeSystem"),
        .target(name: "CSockeyeAres", dependencies: ["CAres"]),
        .target(name: "CSockeyeXML", dependencies: ["CXML"]),
        // giflib has no file for pkg-config; libgif-dev on Debian.
        .target(
            name: "CSockeyeImages", dependencies: ["CPNG", "CJPEG", "CWebP"], linkerSettings: [.linkedLibrary("gif")]
        ),

        // Low to high: an arrow only ever points down.
        .target(name: "SockeyePlatform", dependencies: ["CSockeyeSystem", ares], swiftSettings: platformSettings),
        .target(name: "SockeyeCore", dependencies: ["SockeyePlatform"], swiftSettings: settings),
        .target(
            name: "SockeyeSerialization", dependencies: ["SockeyePlatform", "SockeyeCore"], swiftSettings: settings
        ),
        .target(
            name: "SockeyeHTTP",
            dependencies: [
                "SockeyePlatform", "SockeyeCore", "COpenSSL", "CZlib",
                .target(name: "CBrotli", condition: .when(traits: ["Brotli"])),
                .target(name: "CZstandard", condition: .when(traits: ["Zstandard"])),
                .target(name: "CISAL", condition: .when(traits: ["ISAL"])), httpTypes,
            ], swiftSettings: settings
        ),
        .target(
            name: "SockeyeNet",
            dependencies: ["SockeyePlatform", "SockeyeCore", "COpenSSL", heap], swiftSettings: settings
        ),
        .target(
            name: "SockeyeEngine",
            dependencies: ["SockeyePlatform", "SockeyeCore", "SockeyeHTTP", "SockeyeNet", httpTypes],
            swiftSettings: settings
        ),
        .target(
            name: "Sockeye",
            dependencies: [
                "SockeyePlatform", "SockeyeCore", "SockeyeSerialization", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine",
                httpTypes, heap,
            ], swiftSettings: settings
        ),
        .target(
            name: "SockeyePropertyLists",
            dependencies: ["Sockeye", "SockeyeEngine", "SockeyeCore", "SockeyeSerialization"],
            swiftSettings: settings
        ),
        // `Codable` conformances of settings and serializers.
        .target(
            name: "SockeyeArchiving",
            dependencies: [
                "Sockeye", "SockeyeEngine", "SockeyePropertyLists", "SockeyeSerialization", "SockeyeHTTP", "SockeyeNet",
            ], swiftSettings: settings
        ),
        .target(
            name: "SockeyeXML",
            dependencies: [
                "Sockeye", "SockeyeEngine", "SockeyeArchiving", "SockeyeCore", "SockeyeHTTP", "CSockeyeXML",
            ], swiftSettings: settings
        ),
        .target(
            name: "SockeyeImages",
            dependencies: [
                "Sockeye", "SockeyeEngine", "SockeyeArchiving", "SockeyeCore", "SockeyeSerialization", "SockeyeHTTP",
                "CSockeyeImages",
            ], swiftSettings: settings
        ),
        // Streams of the whole of Foundation, which the client itself does without.
        .target(
            name: "SockeyeFoundation", dependencies: ["Sockeye", "SockeyeEngine", "SockeyeCore"],
            swiftSettings: settings
        ),
        .target(
            name: "SockeyeWebSocket",
            dependencies: [
                "Sockeye", "SockeyeEngine", "SockeyeNet", "SockeyeHTTP", "SockeyeCore", "SockeyePlatform", httpTypes,
            ], swiftSettings: settings
        ),
        // Empty without the trait `DiskCache`.
        .target(
            name: "SockeyeDiskCache",
            dependencies: [
                "Sockeye", "SockeyeEngine", "SockeyePlatform", "SockeyeCore", "SockeyeHTTP", "SockeyeSerialization",
                grdb,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SockeyeTesting",
            dependencies: [
                "Sockeye", "SockeyeWebSocket", "SockeyeEngine", "SockeyePlatform", "SockeyeCore", "SockeyeHTTP",
                "SockeyeNet", "COpenSSL", httpTypes,
            ], swiftSettings: settings
        ),
        .target(
            name: "SockeyeObservability",
            dependencies: [
                "Sockeye", "SockeyeEngine", "SockeyeHTTP", "SockeyeCore", httpTypes, logging, metrics, tracing,
                serviceLifecycle,
            ], swiftSettings: settings
        ),
        .target(
            name: "SockeyeService",
            dependencies: [
                "Sockeye", "SockeyeEngine", "SockeyeHTTP", "SockeyeNet", serviceLifecycle, configuration,
            ], swiftSettings: settings
        ),

        // What tests of several targets need.
        .target(
            name: "SockeyeTestSupport",
            dependencies: [
                "SockeyePlatform", "SockeyeCore", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine", httpTypes,
            ],
            path: "Tests/SockeyeTestSupport", swiftSettings: settings
        ),
        .testTarget(name: "SockeyeCoreTests", dependencies: ["SockeyeCore"], swiftSettings: settings),
        .testTarget(
            name: "SockeyeSerializationTests",
            dependencies: ["SockeyeSerialization", "SockeyeCore", "SockeyeTestSupport"], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeHTTPTests",
            dependencies: ["SockeyeHTTP", "SockeyeCore", "SockeyeTestSupport", "COpenSSL", httpTypes],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeNetTests",
            dependencies: [
                "Sockeye", "SockeyePlatform", "SockeyeNet", "SockeyeCore", "SockeyeTesting", "SockeyeTestSupport",
            ], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeEngineTests",
            dependencies: [
                "SockeyePlatform", "SockeyeCore", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine", "SockeyeTestSupport",
                httpTypes,
            ], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeTests",
            dependencies: [
                "Sockeye", "SockeyePropertyLists", "SockeyeArchiving", "SockeyeImages", "SockeyeTesting",
                "SockeyePlatform", "SockeyeCore", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine", "SockeyeTestSupport",
                httpTypes,
            ], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeFoundationTests",
            dependencies: [
                "SockeyeFoundation", "SockeyeEngine", "SockeyeTesting", "SockeyeTestSupport", "SockeyeCore",
            ], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyePropertyListsTests",
            dependencies: ["SockeyePropertyLists", "SockeyeSerialization", "SockeyeCore", "SockeyeTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeArchivingTests",
            dependencies: [
                "SockeyeArchiving", "SockeyePropertyLists", "SockeyeImages", "SockeyeXML", "SockeyeWebSocket",
                "Sockeye", "SockeyeEngine", "SockeyeSerialization", "SockeyeHTTP", "SockeyeNet", "SockeyeCore",
                "SockeyeTesting", "SockeyeTestSupport", httpTypes,
            ], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeXMLTests",
            dependencies: [
                "SockeyeXML", "Sockeye", "SockeyeArchiving", "SockeyeTesting", "SockeyeTestSupport", "SockeyeCore",
                httpTypes,
            ], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeWebSocketTests",
            dependencies: [
                "SockeyeWebSocket", "Sockeye", "SockeyeTesting", "SockeyeTestSupport", "SockeyeCore", "SockeyeHTTP",
                "SockeyeNet", "SockeyeEngine", httpTypes,
            ],
            exclude: ["Peers/Autobahn.md"], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeImagesTests",
            dependencies: [
                "SockeyeImages", "Sockeye", "SockeyeTesting", "SockeyeTestSupport", "SockeyeCore", httpTypes,
            ], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeConformanceTests",
            dependencies: [
                "Sockeye", "SockeyeTesting", "SockeyeTestSupport", "SockeyeCore", "SockeyeHTTP", "SockeyeNet",
                "COpenSSL", httpTypes,
            ], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeTestingTests",
            dependencies: ["Sockeye", "SockeyeTesting", "SockeyeCore", "SockeyeNet", httpTypes],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeDiskCacheTests",
            dependencies: [
                "SockeyeDiskCache", "Sockeye", "SockeyeTesting", "SockeyeTestSupport", "SockeyeEngine", "SockeyeCore",
                "SockeyeHTTP", "SockeyePlatform", "DiskCacheProbe", grdb, httpTypes,
            ],
            exclude: ["DiskCacheProbe"], swiftSettings: settings
        ),
        // A program of its own, to be killed and measured.
        .executableTarget(
            name: "DiskCacheProbe",
            dependencies: ["SockeyeDiskCache", "Sockeye", "SockeyeTesting", "SockeyeTestSupport", "SockeyePlatform"],
            path: "Tests/SockeyeDiskCacheTests/DiskCacheProbe", swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeObservabilityTests",
            dependencies: [
                "SockeyeObservability", "SockeyeService", "Sockeye", "SockeyeEngine", "SockeyeHTTP", "SockeyeCore",
                "SockeyeTesting", httpTypes, logging, metrics, tracing, serviceLifecycle, configuration,
                .product(
                    name: "UnixSignals", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
                .product(name: "InMemoryLogging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])
                ),
            ], swiftSettings: settings
        ),
        .testTarget(
            name: "SockeyeServiceTests",
            dependencies: [
                "SockeyeService", "Sockeye", "SockeyeEngine", "SockeyeNet", "SockeyeTesting", serviceLifecycle,
                configuration,
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["ServiceLifecycle"])),
                .product(
                    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
            ], swiftSettings: settings
        ),
        // What peers and networks do wrong, over real sockets.
        .testTarget(
            name: "SockeyeFaultTests",
            dependencies: [
                "Sockeye", "SockeyeXML", "SockeyeImages", "SockeyeTesting", "SockeyeCore", "SockeyeHTTP", "SockeyeNet",
                "SockeyeTestSupport", "SockeyeSoak", "CSockeyeSystem", httpTypes,
            ], swiftSettings: settings
        ),

        // `make soak`: the client against servers that do everything that servers do, good and bad.
        .executableTarget(
            name: "SockeyeSoak",
            dependencies: [
                "Sockeye", "SockeyeWebSocket", "SockeyeTesting", "SockeyeCore", "SockeyeNet", "SockeyeHTTP", httpTypes,
            ],
            path: "Tests/SockeyeSoak", swiftSettings: settings
        ),

        // `make shortage`: owners of C objects and descriptors, with each allocation and each open failing in turn.
        .target(name: "CShortage", path: "Tests/SockeyeShortage/CShortage"),
        .executableTarget(
            name: "SockeyeShortage",
            dependencies: [
                "CShortage", "Sockeye", "SockeyeXML", "SockeyeImages", "SockeyeTesting", "SockeyeEngine", "SockeyeNet",
                "SockeyeHTTP", "SockeyeCore", "SockeyePlatform",
            ],
            path: "Tests/SockeyeShortage/Owners", swiftSettings: settings
        ),

        // `make stream-figures`: how fast lines and events are read.
        .executableTarget(
            name: "SockeyeStreamFigures",
            dependencies: [
                "Sockeye", "SockeyeTesting", "SockeyeCore", "SockeyeEngine", "SockeyeHTTP", "SockeyePlatform",
                httpTypes,
            ],
            path: "Tests/SockeyeStreamFigures", swiftSettings: settings
        ),

        // The real client against real servers, as child processes; and a program of its own whose memory is measured.
        .testTarget(
            name: "SockeyeServerTests",
            dependencies: [
                "Sockeye", "SockeyeWebSocket", "SockeyeTesting", "SockeyeTestSupport", "SockeyePlatform", "SockeyeNet",
                "COpenSSL", "TransferProbe", httpTypes,
            ],
            exclude: ["Servers", "TransferProbe"], swiftSettings: settings
        ),
        .executableTarget(
            name: "TransferProbe", dependencies: ["Sockeye", "SockeyeTestSupport"],
            path: "Tests/SockeyeServerTests/TransferProbe", swiftSettings: settings
        ),
    ]
)

// The fuzz targets, only if Scripts/fuzz.sh names the libFuzzer: a package with unsafe flags cannot be a dependency.
if let library = Context.environment["SOCKEYE_FUZZ"] {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/SockeyeFuzz/CLibFuzzer"),
        .executableTarget(
            name: "SockeyeFuzz",
            dependencies: [
                "CLibFuzzer", "Sockeye", "SockeyeWebSocket", "SockeyeXML", "SockeyeImages", "SockeyePropertyLists",
                "SockeyeDiskCache", "SockeyeService", "SockeyeTesting", "SockeyeEngine", "SockeyeNet", "SockeyeCore",
                "SockeyeHTTP", "SockeyePlatform", "SockeyeSerialization", "SockeyeTestSupport", "COpenSSL", "CAres",
                httpTypes, configuration,
            ],
            path: "Tests/SockeyeFuzz/Targets",
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags([library]), .linkedLibrary("stdc++")]
        ),
    ]
}
