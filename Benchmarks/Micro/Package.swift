// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors with Swift 6.3 or later (SE-0480). Older compilers warn about code that 6.3 requires.
#if compiler(>=6.3)
let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
let warnings: [SwiftSetting] = []
#endif

/// The language settings of Sockeye itself; its manifest explains them.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + warnings

/// Makes the `package` declarations of Sockeye visible to a target here, so that steps can be measured without being
/// public. The name of a package is derived from the name of its folder.
let insideSockeye: SwiftSetting = {
    let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init) ?? "sockeye"
    let name = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return .unsafeFlags(["-package-name", name])
}()

/// False in builds of single programs by Scripts/request-cost.py and Scripts/check-slim.sh, which then need no other
/// package than Sockeye and its dependencies.
let hasSteps = Context.environment["SOCKEYE_WITHOUT_STEPS"] == nil

/// Returns a target with a group of single steps for package-benchmark. Its plugin requires an executable in a folder
/// of the same name under `Benchmarks`.
///
/// - Parameter products: The products of Sockeye that the steps use in addition to the client.
func steps(_ name: String, _ products: [String] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "MicroKit",
            .product(name: "Benchmark", package: "benchmark"),
            .product(name: "Sockeye", package: "sockeye"),
        ] + products.map { .product(name: $0, package: "sockeye") },
        path: "Benchmarks/\(name)",
        packageAccess: false,
        swiftSettings: settings + [insideSockeye],
        plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    )
}

// A separate package, so that checking the thresholds does not need the clients that Sockeye is compared with.
let package = Package(
    name: "sockeye-micro-benchmarks",
    dependencies: [
        .package(name: "sockeye", path: "../..")
    ],
    targets: [
        // For Benchmarks/Scripts/compare-caches.py: a separate process, because the time of a whole client is measured.
        .executableTarget(
            name: "CacheCost",
            dependencies: [
                .product(name: "Sockeye", package: "sockeye"), .product(name: "SockeyeCache", package: "sockeye"),
            ],
            swiftSettings: settings
        ),
        // For Scripts/request-cost.py: whole requests in a process that does nothing else.
        .executableTarget(
            name: "RequestCost", dependencies: [.product(name: "Sockeye", package: "sockeye")], swiftSettings: settings
        ),
        // For Scripts/check-slim.sh.
        .executableTarget(
            name: "Slim",
            dependencies: [
                .product(name: "Sockeye", package: "sockeye"),
                .product(name: "SockeyeObservability", package: "sockeye"),
                .product(name: "SockeyeService", package: "sockeye"),
                .product(name: "SockeyeXML", package: "sockeye"),
                .product(name: "SockeyeImages", package: "sockeye"),
                .product(name: "SockeyeDiskCache", package: "sockeye"),
                .product(name: "SockeyeDNS", package: "sockeye"),
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
    ]
)

if hasSteps {
    // Its traits are off, because instructions and time are enough, and the real allocator should be measured.
    package.dependencies.append(.package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []))
    package.targets += [
        .target(
            name: "MicroKit", dependencies: [.product(name: "Benchmark", package: "benchmark")],
            swiftSettings: settings
        ),
        steps("HTTP1"), steps("Compression"), steps("Transport"),
        steps("Client", ["SockeyeCache", "SockeyeTransfers"]),
    ]
}
