// swift-tools-version: 6.2
import PackageDescription

// A stand-in for Vapor 4.122, for builds without network access: the declarations that HTTP clients use, with the
// names, types and effects of the real ones. The examples' Package.swift says how to build with the real one.
let package = Package(
    name: "vapor",
    products: [.library(name: "Vapor", targets: ["Vapor"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(
            name: "Vapor",
            dependencies: [
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
        )
    ]
)
