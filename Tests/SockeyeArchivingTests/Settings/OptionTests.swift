import Foundation
import Sockeye
import SockeyeArchiving
import SockeyeCache
import SockeyeCore
import SockeyeDiagnostics
import SockeyeHTTP
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine
@testable import SockeyeStreams
@testable import SockeyeTransfers
@testable import SockeyeWebSocket

/// A public option of a request, and its behaviour when options are merged, archived and written as a curl command.
struct RequestOptionExample: Sendable, CustomTestStringConvertible {
    enum Archive { case kept, refused }
    /// The way in which a curl command shows the option.
    enum Command { case shown, leftToCurl }

    /// The name of its stored property.
    let name: String
    let archive: Archive
    let command: Command
    let set: @Sendable (inout OutgoingRequest.Options) -> Void
    /// Sets another value, which must not override the option when options are merged. Nil for options that accumulate.
    let other: (@Sendable (inout OutgoingRequest.Options) -> Void)?

    init(
        _ name: String, archive: Archive = .kept, command: Command = .leftToCurl,
        set: @escaping @Sendable (inout OutgoingRequest.Options) -> Void,
        other: (@Sendable (inout OutgoingRequest.Options) -> Void)? = nil
    ) {
        (self.name, self.archive, self.command, self.set, self.other) = (name, archive, command, set, other)
    }

    var testDescription: String { name }

    var options: OutgoingRequest.Options { OutgoingRequest.Options().with(set) }

    /// Every public option. A command shows its effects on the request. Deadlines, proxies, TLS and the handling of the
    /// answer are left to curl.
    static let all: [RequestOptionExample] = [
        .init("tls", set: { $0.tls = TLSOptions(verification: .chainOnly) }, other: { $0.tls = TLSOptions() }),
        .init("timeouts", set: { $0.timeouts = Timeouts(total: .seconds(7)) }),
        .init("tolerances", set: { $0.tolerances = .bareLineFeeds }, other: { $0.tolerances = [] }),
        .init("bodyLimit", set: { $0.bodyLimit = 7 }, other: { $0.bodyLimit = 8 }),
        .init("onInterim", archive: .refused, set: { $0.onInterim = { _ in } }),
        .init("onBodyProgress", archive: .refused, set: { $0.onBodyProgress = { _ in } }),
        .init(
            "expectContinue", command: .shown, set: { $0.expectContinue = .seconds(7) },
            other: { $0.expectContinue = .zero }),
        .init("decompresses", command: .shown, set: { $0.decompresses = false }, other: { $0.decompresses = true }),
        .init(
            "unixSocketPath", command: .shown, set: { $0.unixSocketPath = "/run/a.sock" },
            other: { $0.unixSocketPath = "/b" }),
        .init("isIdempotent", set: { $0.isIdempotent = true }, other: { $0.isIdempotent = false }),
        .init("closesConnection", command: .shown, set: { $0.closesConnection = true }),
        .init("compression", command: .shown, set: { $0.compression = .gzip }, other: { $0.compression = .deflate }),
        .init(
            "interceptors", archive: .refused, command: .shown, set: { $0.interceptors = [.setting("X-A", to: "b")] }),
        .init("skippedStages", command: .shown, set: { $0.skippedStages = [.call] }),
        .init("collectsMetrics", set: { $0.collectsMetrics = true }),
        .init(
            "cacheMode", set: { $0.cacheMode = .returnCacheElseLoad }, other: { $0.cacheMode = .reloadIgnoringCache }),
        .init(
            "context", archive: .refused, set: { $0.context[NumberKey.self] = 7 },
            other: { $0.context[NumberKey.self] = 8 }),
        .init("checksums", set: { $0.checksums = [zeros] }, other: { $0.checksums = [] }),
        .init(
            "verifiesAnnouncedChecksums", set: { $0.verifiesAnnouncedChecksums = false },
            other: { $0.verifiesAnnouncedChecksums = true }),
        .init("maximumResumes", set: { $0.maximumResumes = 7 }, other: { $0.maximumResumes = 8 }),
        .init("parallelParts", set: { $0.parallelParts = 7 }, other: { $0.parallelParts = 8 }),
        .init("resumeFile", set: { $0.resumeFile = "/tmp/a.resume" }, other: { $0.resumeFile = "/b" }),
        .init("priority", set: { $0.priority = .high }, other: { $0.priority = .low }),
        .init("dependencies", archive: .refused, set: { $0.dependencies = [7] }, other: { $0.dependencies = [8] }),
        .init(
            "eventStream", archive: .refused, set: { $0.eventStream.idle = .seconds(7) },
            other: { $0.eventStream.idle = .seconds(8) }),
        .init(
            "webSocket", archive: .refused, set: { $0.webSocket.subprotocols = ["a"] },
            other: { $0.webSocket.subprotocols = ["b"] }),
    ]

    private enum NumberKey: OutgoingRequest.ContextKey { typealias Value = Int }
    private static let zeros = Checksum(.sha256, hex: String(repeating: "0", count: 64))!

    /// The names of the options that are stored in a context, by the types of their keys.
    static let keyed: [ObjectIdentifier: String] = [
        ObjectIdentifier(ChecksumsKey.self): "checksums",
        ObjectIdentifier(VerifiesAnnouncedChecksumsKey.self): "verifiesAnnouncedChecksums",
        ObjectIdentifier(MaximumResumesKey.self): "maximumResumes",
        ObjectIdentifier(ParallelPartsKey.self): "parallelParts", ObjectIdentifier(ResumeFileKey.self): "resumeFile",
        ObjectIdentifier(PriorityKey.self): "priority", ObjectIdentifier(DependenciesKey.self): "dependencies",
        ObjectIdentifier(EventStreamKey.self): "eventStream", ObjectIdentifier(WebSocketKey.self): "webSocket",
        ObjectIdentifier(CacheModeKey.self): "cacheMode",
    ]

    /// Properties that the library sets while it sends a request. None of these properties is ever part of default
    /// options.
    static let internalNames: Set = [
        "deadline", "attemptTimeout", "observer", "gate", "leftOrigin", "isOutsideScope", "upgrade", "sentCredential",
        "isRetryAfterResponse", "circuitProbe", "callStarted",
    ]
}

extension OutgoingRequest.Options {
    /// The stored properties by name, with text that distinguishes their values.
    var properties: [String: String] {
        var found: [String: String] = [:]
        Self.collect(self, into: &found)
        return found
    }

    private static func collect(_ value: Any, into found: inout [String: String]) {
        for case (let name?, let child) in Mirror(reflecting: value).children {
            switch name {
            case "context":
                found[name] = (child as? OutgoingRequest.Context)?.values.values.map { "\($0)" }.sorted().joined()
            case "further":
                for (key, value) in (child as? OutgoingRequest.Context)?.values ?? [:] {
                    var text = ""
                    dump(value, to: &text)
                    found[RequestOptionExample.keyed[key] ?? "an unknown key"] = text
                }
            case "rare", "attachment", "set", "values":
                // References to further options, which are all unset if the reference is nil.
                let mirror = Mirror(reflecting: child)
                if mirror.displayStyle != .optional {
                    collect(child, into: &found)
                } else if let some = mirror.children.first {
                    collect(some.value, into: &found)
                }
            default:
                var text = ""
                dump(child, to: &text)
                found[name] = text
            }
        }
    }
}

@Suite("Every option of a request")
struct OptionTests {
    /// Options with storage for all properties, but no values.
    private static let empty = OutgoingRequest.Options().with {
        $0.bodyLimit = nil
        $0.collectsMetrics = false
    }

    private func expect(
        _ options: OutgoingRequest.Options, has sample: RequestOptionExample,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (found, wanted) = (options.properties[sample.name], sample.options.properties[sample.name])
        #expect(found == wanted && wanted != nil, "\(sample.name)", sourceLocation: sourceLocation)
    }

    @Test("the examples of these tests cover every stored option")
    func complete() {
        let names = Set(RequestOptionExample.all.map(\.name))
        let found = Set(Self.empty.properties.keys).union(RequestOptionExample.keyed.values)
        #expect(found == RequestOptionExample.internalNames.union(names))
        let all = RequestOptionExample.all.reduce(OutgoingRequest.Options()) { $0.with($1.set) }
        #expect(Set(all.properties.keys) == found)
        for sample in RequestOptionExample.all {
            #expect(sample.options.properties[sample.name] != Self.empty.properties[sample.name], "\(sample.name)")
        }
    }

    @Test("the public declarations and these tests list the same options")
    func declared() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../../Scripts/api").standardized
        var declared: Set<String> = []
        for module in ["Sockeye", "SockeyeTransfers", "SockeyeStreams", "SockeyeCache", "SockeyeWebSocket"] {
            let text = try String(contentsOf: root.appending(path: "\(module).txt"), encoding: .utf8)
            for line in text.split(separator: "\n") {
                guard let name = line.firstMatch(of: /^OutgoingRequest\.Options: var (\w+)/)?.1 else { continue }
                declared.insert(String(name))
            }
        }
        // The option `handlesCookies` is a view of another option.
        declared.remove("handlesCookies")
        #expect(declared == Set(RequestOptionExample.all.map(\.name)))
    }

    @Test("an option is kept when any other option is set or merged", arguments: RequestOptionExample.all)
    func combined(sample: RequestOptionExample) {
        for other in RequestOptionExample.all where other.name != sample.name {
            let both = sample.options.with(other.set)
            expect(both, has: sample)
            expect(both, has: other)
            expect(sample.options.merging(other.options), has: sample)
            expect(sample.options.merging(other.options), has: other)
        }
    }

    @Test(
        "a serializer's options add an option that the call lacks, and never override the call's own",
        arguments: RequestOptionExample.all)
    func merged(sample: RequestOptionExample) throws {
        expect(OutgoingRequest.Options().merging(sample.options), has: sample)
        expect(sample.options.merging(OutgoingRequest.Options()), has: sample)
        if let other = sample.other {
            expect(sample.options.merging(OutgoingRequest.Options().with(other)), has: sample)
        }
        // The option is also kept when all options are merged, and by the serializers.
        let all = RequestOptionExample.all.reduce(OutgoingRequest.Options()) { $0.with($1.set) }
        expect(OutgoingRequest.Options().merging(all), has: sample)
        let settings = ParameterSerializer.Options(requestOptions: sample.options)
        let request = try OutgoingRequest(url: "http://a.test/")
        expect(try ParameterSerializer.form(options: settings).serialize(["a": 1], into: request).options, has: sample)
        expect(try ParameterSerializer.json(options: settings).serialize(["a": 1], into: request).options, has: sample)
        // A copy of a request has a copy of its options.
        var copy = OutgoingRequest(url: request.url, options: sample.options)
        copy.headers["X-A"] = "b"
        expect(copy.options, has: sample)
    }

    @Test("an option is read back from an archive or cannot be written to one", arguments: RequestOptionExample.all)
    func archived(sample: RequestOptionExample) throws {
        switch sample.archive {
        case .kept:
            expect(try roundTripped(sample.options), has: sample)
            expect(
                try roundTripped(ParameterSerializer.Options(requestOptions: sample.options)).requestOptions,
                has: sample)
        case .refused: #expect(throws: EncodingError.self) { try text(sample.options) }
        }
    }

    @Test("an option appears in a curl command if it changes the request", arguments: RequestOptionExample.all)
    func command(sample: RequestOptionExample) async throws {
        let transport = MockTransport { _ in .ok() }
        // The option `skippedStages` skips this interceptor.
        let skipped: any Interceptor = .setting("X-Skipped", to: "a")
        for client in [HTTPClient(transport: transport), HTTPClient()].map({ $0.adding(skipped) }) {
            let plain = try await client.curlCommand(.post, "http://a.test/", .text("content"))
            let changed = try await client.curlCommand(
                .post, "http://a.test/", .text("content"), options: sample.options)
            // Only a client with sockets decodes its answers.
            guard sample.name != "decompresses" || client.scope.sockets != nil else { continue }
            #expect((plain != changed) == (sample.command == .shown), "\(changed)")
        }
    }
}
