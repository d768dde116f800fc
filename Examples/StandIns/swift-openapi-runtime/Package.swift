// swift-tools-version: 6.2
import PackageDescription

// A stand-in for swift-openapi-runtime 1.11, for builds without network access: the declarations that transports use,
// with the names, types and effects of the real ones. The examples' Package.swift says how to build with the real one.
let package = Package(
    name: "swift-openapi-runtime",
    products: [.library(name: "OpenAPIRuntime", targets: ["OpenAPIRuntime"])],
    dependencies: [.package(url: "https://github.com/apple/swift-http-types", from: "1.8.0")],
    targets: [
        .target(
            name: "OpenAPIRuntime", dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
        )
    ]
)
