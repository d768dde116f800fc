// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors with the compiler that the code is written with (SE-0480). An older one warns of what the newer
/// one needs.
#if compiler(>=6.3)
let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
let warnings: [SwiftSetting] = []
#endif

/// `make repeat-tests` compiles the library with optimization, so that a run takes half the time, and the tests
/// without. Only a root package may have unsafe flags.
let isOptimized = Context.environment["SOCKEYE_OPTIMIZED"] != nil
let optimization: [SwiftSetting] = isOptimized ? [.unsafeFlags(["-O", "-assert-config", "Debug"])] : []
let noOptimization: [SwiftSetting] = isOptimized ? [.unsafeFlags(["-Onone"])] : []

/// Language settings of the lowest target, whose inlinable code calls what it imports.
let platformSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
        .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
        .enableExperimentalFeature("Lifetimes"),  // SE-0446: spans as computed properties
        .strictMemorySafety(),  // SE-0458: each use of a pointer says `unsafe`
    ] + warnings + optimization

/// Language settings of every other target; each name links to the proposal that explains it.
let settings =
    platformSettings + [
        .enableUpcomingFeature("InternalImportsByDefault")  // SE-0409
    ]

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")

/// A dependency of packages that turn on one of the traits.
func product(_ name: String, _ package: String, _ traits: Set<String>) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: traits))
}

/// A C library that its user installs.
func library(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// A module above the platform. Each may use `Data`, `Date` and the like.
func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: ["SockeyeEssentials"] + dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: ["SockeyeEssentials"] + dependencies, exclude: exclude,
        swiftSettings: settings + noOptimization)
}

func target(_ name: String, _ trait: String) -> Target.Dependency {
    .target(name: name, condition: .when(traits: [trait]))
}

// The server-side ecosystem. `Service` has all of it, so that a server needs one trait only.
let observability: Set<String> = ["Observability", "Service"]
let logging = product("Logging", "swift-log", observability)
let metrics = product("CoreMetrics", "swift-metrics", observability)
let tracing = product("Tracing", "swift-distributed-tracing", observability)
let serviceLifecycle = product("ServiceLifecycle", "swift-service-lifecycle", ["Service"])
let configuration = product("Configuration", "swift-configuration", ["Service"])

/// The backend of the platform: this system's own, or for tests `minimal`, which lacks everything optional, or
/// `kqueue-model`, which is the backend of macOS and FreeBSD over a model of kqueue.
let system = Context.environment["SOCKEYE_SYSTEM"] ?? ""
let (systemSettings, kqueueModel): ([CSetting], [Target.Dependency]) =
    switch system {
    case "": ([], [])
    case "minimal": ([.define("SOCKEYE_MINIMAL")], [])
    case "kqueue-model": ([.define("SOCKEYE_KQUEUE_MODEL")], ["CKqueueModel"])
    // SwiftPM prints the name of a missing product in one line. After a fatalError it would print registers of the CPU.
    default: ([], [.byName(name: "SOCKEYE_SYSTEM=\(system), which is neither minimal nor kqueue-model")])
    }

/// The client and what it is made of, for the products and programs that add to it.
let client: [Target.Dependency] = [
    "Sockeye", "SockeyePlatform", "SockeyeCore", "SockeyeSerialization", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine",
    httpTypes,
]
/// The client with what its tests need.
let testing: [Target.Dependency] = ["SockeyeTesting", "SockeyeTestSupport"] + client

// Other C libraries than OpenSSL and zlib, each behind the trait of its name.
let ares = target("CSockeyeAres", "AsyncDNS")
let xml = target("CSockeyeXML", "XML")
let images = target("CSockeyeImages", "Images")
let grdb = product("GRDB", "GRDB.swift", ["DiskCache"])

/// A program whose folder has another name, or stands in a folder of tests.
func program(_ name: String, in path: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: ["SockeyeEssentials"] + dependencies, path: path, swiftSettings: settings)
}

let package = Package(
    name: "sockeye",
    // The first with UTF8Span and InlineArray in the standard library.
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "Sockeye", targets: ["Sockeye"]),
        // Each is built and linked only by packages that use it. Those with a trait of their name are empty without it.
        .library(name: "SockeyePropertyLists", targets: ["SockeyePropertyLists"]),
        .library(name: "SockeyeArchiving", targets: ["SockeyeArchiving"]),
        .library(name: "SockeyeXML", targets: ["SockeyeXML"]),
        .library(name: "SockeyeImages", targets: ["SockeyeImages"]),
        .library(name: "SockeyeFoundation", targets: ["SockeyeFoundation"]),
        .library(name: "SockeyeWebSocket", targets: ["SockeyeWebSocket"]),
        .library(name: "SockeyeTransfers", targets: ["SockeyeTransfers"]),
        .library(name: "SockeyeStreams", targets: ["SockeyeStreams"]),
        .library(name: "SockeyeCache", targets: ["SockeyeCache"]),
        .library(name: "SockeyeDiskCache", targets: ["SockeyeDiskCache"]),
        .library(name: "SockeyeDNS", targets: ["SockeyeDNS"]),
        .library(name: "SockeyeDiagnostics", targets: ["SockeyeDiagnostics"]),
        .library(name: "SockeyeTesting", targets: ["SockeyeTesting"]),
        // The server-side ecosystem. Without their traits these two are next to empty.
        .library(name: "SockeyeObservability", targets: ["SockeyeObservability"]),
        .library(name: "SockeyeService", targets: ["SockeyeService"]),
        .executable(name: "sockeye-benchmark", targets: ["sockeye-benchmark"]),
    ],
    // Off by default: no dependent could turn off a trait that is on, and packages of unused traits are not resolved.
    traits: [
        .trait(
            name: "Observability",
            description: "SockeyeObservability: swift-log, swift-metrics and swift-distributed-tracing"),
        .trait(
            name: "Service",
            description: "SockeyeService by swift-service-lifecycle and swift-configuration, and all of Observability"),
        .trait(name: "Brotli", description: "The content coding br, by libbrotli (apt: libbrotli-dev)"),
        .trait(name: "Zstandard", description: "The content coding zstd, by libzstd (apt: libzstd-dev)"),
        .trait(name: "ISAL", description: "gzip and deflate decoded by ISA-L instead of zlib (apt: libisal-dev)"),
        .trait(name: "AsyncDNS", description: "SockeyeDNS: look-ups by c-ares, without threads (apt: libc-ares-dev)"),
        .trait(name: "DiskCache", description: "SockeyeDiskCache: by GRDB and SQLite (apt: libsqlite3-dev)"),
        .trait(name: "XML", description: "SockeyeXML: by libxml2 (apt: libxml2-dev)"),
        .trait(
            name: "Images",
            description: "SockeyeImages (apt: libpng-dev libjpeg-dev libwebp-dev libgif-dev)"),
        // Packages that enable it and `swift build --traits All` pass the traits to the compiler in the same order, so
        // the tests, the examples and the benchmarks share one build.
        .trait(
            name: "All", description: "All other traits",
            enabledTraits: [
                "Observability", "Service", "Brotli", "Zstandard", "ISAL", "AsyncDNS", "DiskCache", "XML", "Images",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // Each is resolved only where a trait asks for it.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // System libraries, and the calls of the system as one neutral interface.
        library("COpenSSL", "openssl", apt: "libssl-dev", brew: "openssl@3"),
        library("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
        library("CBrotli", "libbrotlienc", apt: "libbrotli-dev", brew: "brotli"),
        library("CISAL", "libisal", apt: "libisal-dev", brew: "isa-l"),
        library("CZstandard", "libzstd", apt: "libzstd-dev", brew: "zstd"),
        library("CAres", "libcares", apt: "libc-ares-dev", brew: "c-ares"),
        library("CXML", "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
        library("CPNG", "libpng", apt: "libpng-dev", brew: "libpng"),
        library("CJPEG", "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
        library("CWebP", "libwebp", apt: "libwebp-dev", brew: "webp"),
        .target(name: "CSockeyeSystem", dependencies: kqueueModel, cSettings: systemSettings),
        // Generated constant tables.
        .target(name: "CSockeyeData"),
        // Each is empty without its trait, so that the libraries need not be there when all targets are built.
        .target(
            name: "CSockeyeAres", dependencies: [target("CAres", "AsyncDNS")],
            cSettings: [.define("SOCKEYE_ASYNC_DNS", .when(traits: ["AsyncDNS"]))]
        ),
        .target(
            name: "CSockeyeXML", dependencies: [target("CXML", "XML")],
            cSettings: [.define("SOCKEYE_XML", .when(traits: ["XML"]))]
        ),
        // giflib has no file for pkg-config; libgif-dev on Debian, giflib of Homebrew.
        .target(
            name: "CSockeyeImages",
            dependencies: [
                target("CPNG", "Images"),
                target("CJPEG", "Images"),
                target("CWebP", "Images"),
            ],
            cSettings: [.define("SOCKEYE_IMAGES", .when(traits: ["Images"]))],
            linkerSettings: [.linkedLibrary("gif", .when(traits: ["Images"]))]
        ),

        // Low to high: an arrow only ever points down.
        .target(name: "SockeyeEssentials", swiftSettings: settings),
        .target(name: "SockeyePlatform", dependencies: ["CSockeyeSystem"], swiftSettings: platformSettings),
        module("SockeyeCore", ["SockeyePlatform"]),
        module("SockeyeSerialization", ["SockeyePlatform", "SockeyeCore"]),
        module(
            "SockeyeHTTP",
            [
                "SockeyePlatform", "SockeyeCore", "CSockeyeData", "COpenSSL", "CZlib", target("CBrotli", "Brotli"),
                target("CZstandard", "Zstandard"), target("CISAL", "ISAL"), httpTypes,
            ]),
        module("SockeyeNet", ["SockeyePlatform", "SockeyeCore", "COpenSSL"]),
        module("SockeyeEngine", ["SockeyePlatform", "SockeyeCore", "SockeyeHTTP", "SockeyeNet", httpTypes]),
        module(
            "Sockeye",
            [
                "SockeyePlatform", "SockeyeCore", "SockeyeSerialization", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine",
                httpTypes,
            ]),
        // What only some callers want.
        module("SockeyeTransfers", client),
        module("SockeyeStreams", client),
        module("SockeyeCache", client),
        // Empty without the trait `AsyncDNS`.
        module("SockeyeDNS", client + ["CSockeyeSystem", ares]),
        module("SockeyeDiagnostics", client),
        module("SockeyePropertyLists", client),
        // `Codable` conformances of settings and serializers.
        module(
            "SockeyeArchiving", client + ["SockeyeCache", "SockeyeTransfers", "SockeyePropertyLists"]),
        module("SockeyeXML", client + [xml]),
        module("SockeyeImages", client + ["SockeyeCache", images]),
        // Streams of the whole of Foundation, which the client itself does without.
        module("SockeyeFoundation", client),
        module("SockeyeWebSocket", client),
        // Empty without the trait `DiskCache`.
        module("SockeyeDiskCache", client + ["SockeyeCache", grdb]),
        module("SockeyeTesting", client + ["SockeyeCache", "SockeyeWebSocket", "COpenSSL"]),
        module("SockeyeObservability", client + [logging, metrics, tracing, serviceLifecycle]),
        module("SockeyeService", client + [serviceLifecycle, configuration]),

        // Measures the client against the server of SockeyeTesting.
        .target(name: "CSockeyeBenchmark"),
        program(
            "sockeye-benchmark", in: "Sources/SockeyeBenchmark", client + ["CSockeyeBenchmark", "SockeyeTesting"]),

        // What tests of several targets need.
        .target(
            name: "SockeyeTestSupport",
            dependencies: [
                "Sockeye", "SockeyePlatform", "SockeyeCore", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine", httpTypes,
            ],
            path: "Tests/SockeyeTestSupport", swiftSettings: settings
        ),
        // The room of the system's calls, which every port passes first.
        tests("SockeyePlatformTests", ["SockeyePlatform", "SockeyeTestSupport"]),
        tests("SockeyeCoreTests", ["SockeyeCore", "SockeyeTestSupport"]),
        tests("SockeyeSerializationTests", ["SockeyeSerialization", "SockeyeCore", "SockeyeTestSupport"]),
        tests(
            "SockeyeHTTPTests",
            ["SockeyeHTTP", "SockeyeCore", "SockeyeTestSupport", "COpenSSL", httpTypes]),
        tests("SockeyeNetTests", testing),
        tests(
            "SockeyeEngineTests",
            [
                "SockeyePlatform", "SockeyeCore", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine", "SockeyeTestSupport",
                httpTypes,
            ]),
        tests(
            "SockeyeTests",
            testing + [
                "SockeyeCache", "SockeyeStreams", "SockeyeTransfers", "SockeyeDiagnostics", "SockeyeDNS",
                "SockeyePropertyLists", "SockeyeArchiving", "SockeyeFoundation", "SockeyeImages", "SockeyeXML",
                "SockeyeDiskCache", "SockeyeObservability", "SockeyeService", configuration, metrics,
            ]),
        tests("SockeyeTransfersTests", testing + ["SockeyeTransfers", "SockeyeCache"]),
        tests("SockeyeStreamsTests", testing + ["SockeyeXML", "SockeyeStreams", "SockeyeCache"]),
        tests("SockeyeCacheTests", testing + ["SockeyeCache", "SockeyeTransfers"]),
        tests("SockeyeDNSTests", testing + ["SockeyeDNS"]),
        tests("SockeyeDiagnosticsTests", testing + ["SockeyeDiagnostics", "SockeyeTransfers"]),
        tests("SockeyeFoundationTests", testing + ["SockeyeFoundation"]),
        tests(
            "SockeyePropertyListsTests",
            ["SockeyePropertyLists", "SockeyeSerialization", "SockeyeCore", "SockeyeTestSupport"]),
        tests(
            "SockeyeArchivingTests",
            testing + [
                "SockeyeCache", "SockeyeStreams", "SockeyeTransfers", "SockeyeDNS", "SockeyeDiagnostics",
                "SockeyeArchiving", "SockeyePropertyLists", "SockeyeImages", "SockeyeXML", "SockeyeWebSocket",
            ]),
        tests("SockeyeXMLTests", testing + ["SockeyeXML"]),
        tests("SockeyeWebSocketTests", testing + ["SockeyeWebSocket"], exclude: ["Peers/Autobahn.md"]),
        tests("SockeyeImagesTests", testing + ["SockeyeCache", "SockeyeImages"]),
        tests("SockeyeConformanceTests", testing + ["SockeyeCache", "SockeyeStreams", "SockeyeTransfers", "COpenSSL"]),
        tests("SockeyeTestingTests", testing + ["SockeyeCache", "SockeyeStreams", "SockeyeTransfers"]),
        tests("SockeyeBenchmarkTests", ["sockeye-benchmark", "SockeyePlatform"]),
        tests(
            "SockeyeDiskCacheTests",
            testing + ["SockeyeCache", "SockeyeTransfers", "SockeyeDiskCache", "DiskCacheProbe", grdb],
            exclude: ["DiskCacheProbe"]),
        // A program of its own, to be killed and measured.
        program(
            "DiskCacheProbe", in: "Tests/SockeyeDiskCacheTests/DiskCacheProbe",
            testing + ["SockeyeCache", "SockeyeDiskCache"]),
        tests(
            "SockeyeObservabilityTests",
            testing + [
                "SockeyeCache", "SockeyeTransfers", "SockeyeStreams", "SockeyeObservability", "SockeyeService", logging,
                metrics, tracing, serviceLifecycle, configuration,
                product("UnixSignals", "swift-service-lifecycle", ["Service"]),
                product("InMemoryLogging", "swift-log", observability),
                product("MetricsTestKit", "swift-metrics", observability),
                product("InMemoryTracing", "swift-distributed-tracing", observability),
            ], exclude: ["OTLP/decode.py"]),
        tests(
            "SockeyeServiceTests",
            testing + [
                "SockeyeService", serviceLifecycle, configuration, product("Logging", "swift-log", ["Service"]),
                product("ServiceLifecycleTestKit", "swift-service-lifecycle", ["Service"]),
            ]),
        // What peers and networks do wrong, over real sockets.
        tests(
            "SockeyeFaultTests",
            testing + [
                "SockeyeCache", "SockeyeStreams", "SockeyeTransfers", "SockeyeXML", "SockeyeImages", "SockeyeSoak",
            ]),

        // `make soak`: the client against servers that do everything that servers do, good and bad.
        program(
            "SockeyeSoak", in: "Tests/SockeyeSoak",
            testing + ["SockeyeCache", "SockeyeStreams", "SockeyeTransfers", "SockeyeWebSocket"]),

        // `make shortage`: owners of C objects and descriptors, with each allocation and each open failing in turn.
        .target(name: "CShortage", path: "Tests/SockeyeShortage/CShortage"),
        program(
            "SockeyeShortage", in: "Tests/SockeyeShortage/Owners",
            testing + [
                "SockeyeDNS", "SockeyeCache", "SockeyeTransfers", "SockeyeStreams", "CShortage", "SockeyeXML",
                "SockeyeImages",
            ]),

        // `make stream-figures`: how fast lines and events are read.
        program(
            "SockeyeStreamFigures", in: "Tests/SockeyeStreamFigures", testing + ["SockeyeStreams"]
        ),

        // The real client against real servers, as child processes; and a program of its own whose memory is measured.
        tests(
            "SockeyeServerTests",
            testing + [
                "SockeyeTransfers", "SockeyeCache", "SockeyeStreams", "SockeyeWebSocket", "COpenSSL", "TransferProbe",
            ], exclude: ["Servers", "TransferProbe"]),
        program(
            "TransferProbe", in: "Tests/SockeyeServerTests/TransferProbe",
            ["SockeyeTransfers", "Sockeye", "SockeyeTestSupport"]),
    ]
)
if !kqueueModel.isEmpty { package.targets += [.target(name: "CKqueueModel", path: "Tests/CPlatform/KqueueModel")] }

// The fuzz targets, only if Scripts/fuzz.sh names the libFuzzer: a package with unsafe flags cannot be a dependency.
if let library = Context.environment["SOCKEYE_FUZZ"] {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/SockeyeFuzz/CLibFuzzer"),
        .executableTarget(
            name: "SockeyeFuzz",
            dependencies: [
                "SockeyeCache", "SockeyeStreams", "SockeyeTransfers", "SockeyeDNS", "SockeyeDiagnostics", "CLibFuzzer",
                "Sockeye", "SockeyeWebSocket", "SockeyeXML", "SockeyeImages", "SockeyePropertyLists",
                "SockeyeDiskCache", "SockeyeService", "SockeyeTesting", "SockeyeEngine", "SockeyeNet", "SockeyeCore",
                "SockeyeHTTP", "SockeyePlatform", "SockeyeSerialization", "SockeyeEssentials", "SockeyeTestSupport",
                "COpenSSL", "CAres", httpTypes, configuration, metrics,
            ],
            path: "Tests/SockeyeFuzz/Targets",
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags([library]), .linkedLibrary("stdc++")]
        ),
    ]
}
