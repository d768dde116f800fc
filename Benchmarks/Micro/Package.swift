// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors with the compiler that the code is written with (SE-0480). An older one warns of what the newer one needs.
#if compiler(>=6.3)
let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
let warnings: [SwiftSetting] = []
#endif

/// The language settings of Sockeye itself; see its manifest for what each one is.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + warnings

/// Makes what is `package` in Sockeye visible to a target here, so that single steps can be measured without being public.
/// A name of a package is derived from its folder's.
let insideSockeye: SwiftSetting = {
    let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init) ?? "sockeye"
    let name = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return .unsafeFlags(["-package-name", name])
}()

/// A group of single steps, under package-benchmark: one executable, in a folder of its name under `Benchmarks`, as its
/// plugin wants it.
func steps(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "MicroKit",
            .product(name: "Benchmark", package: "benchmark"),
            .product(name: "Sockeye", package: "sockeye"),
        ],
        path: "Benchmarks/\(name)",
        packageAccess: false,
        swiftSettings: settings + [insideSockeye],
        plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    )
}

// A package of its own, so that checking the thresholds needs none of the clients that Sockeye is compared with.
let package = Package(
    name: "sockeye-micro-benchmarks",
    dependencies: [
        .package(name: "sockeye", path: "../.."),
        // Without its interposers: instructions and time are enough, and the figures are those of the real allocator.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(
            name: "MicroKit", dependencies: [.product(name: "Benchmark", package: "benchmark")],
            swiftSettings: settings
        ),
        // A process of its own, for Benchmarks/Scripts/compare-caches.py: what is measured there is a whole client's time.
        .executableTarget(
            name: "CacheCost", dependencies: [.product(name: "Sockeye", package: "sockeye")], swiftSettings: settings
        ),
        // For Scripts/request-cost.py: whole requests, in a process that does nothing else.
        .executableTarget(
            name: "RequestCost", dependencies: [.product(name: "Sockeye", package: "sockeye")], swiftSettings: settings
        ),
        // For Scripts/check-slim.sh.
        .executableTarget(
            name: "Slim",
            dependencies: [
                .product(name: "Sockeye", package: "sockeye"), .product(name: "SockeyeObservability", package: "sockeye"),
                .product(name: "SockeyeService", package: "sockeye"), .product(name: "SockeyeXML", package: "sockeye"),
                .product(name: "SockeyeImages", package: "sockeye"), .product(name: "SockeyeDiskCache", package: "sockeye"),
            ],
            swiftSettings: settings
        ),
        // Likewise for Benchmarks/Scripts/compare-images.py.
        .executableTarget(
            name: "ImageCost",
            dependencies: [
                .product(name: "Sockeye", package: "sockeye"), .product(name: "SockeyeImages", package: "sockeye"),
            ],
            swiftSettings: settings
        ),
        steps("HTTP1"), steps("Compression"), steps("Transport"), steps("Client"),
    ]
)
