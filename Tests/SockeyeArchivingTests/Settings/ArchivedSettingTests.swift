import Foundation
import Sockeye
import SockeyeArchiving
import SockeyeCore
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

#if Images
import SockeyeImages
#endif

@Suite("Archived settings with extreme numbers", .serialized, .timeLimit(.minutes(5)))
struct ArchivedSettingTests {
    /// Numbers that a file may contain, and values of other types.
    private static let extremes: [JSONValue] = [
        0, -1, 1, -1e12, 1e12, 1e15, -1e300, 1e300, 1e-300, -1e-300, .init(integerLiteral: .max),
        .init(integerLiteral: .min), 1.5, nil, "", [], [:], true,
    ]

    /// Returns copies of the archive. In each copy, one extreme replaces one leaf.
    private static func variants(_ archive: JSONValue) -> [JSONValue] {
        guard let members = archive.object else { return extremes }
        var result: [JSONValue] = []
        for (index, member) in members.enumerated() {
            for value in variants(member.value) {
                var pairs = members.map { ($0.key, $0.value) }
                pairs[index].1 = value
                result.append(.object(JSONValue.Object(pairs)))
            }
        }
        return result
    }

    /// Reads each variant, then uses and writes those that could be read.
    private func forEach<Value: Codable>(
        _ standard: Value, _ use: (Value) async throws -> Void = { _ in }
    ) async throws {
        let archive = try JSONValue(encoding: standard)
        var readCount = 0
        for variant in Self.variants(archive) {
            let value: Value
            do {
                value = try variant.decoded(as: Value.self)
            } catch {
                #expect(error is DecodingError || error is SockeyeError, "\(variant): \(error)")
                continue
            }
            readCount += 1
            do { _ = try roundTripped(value) } catch {
                #expect(error is EncodingError || error is DecodingError, "\(error)")
            }
            try await expectEnd { try await use(value) }
        }
        #expect(readCount > 0, "\(Value.self)")
    }

    @Test("A client configuration with an extreme value is refused or works")
    func configuration() async throws {
        let server = try await SettingsUse.server()
        var configuration = ClientConfiguration()
        // Only deadlines that are set are written.
        configuration.timeouts = Timeouts(
            total: .seconds(5), connect: .seconds(5), head: .seconds(5), stall: .seconds(5), pool: .seconds(5),
            resolve: .seconds(5), tls: .seconds(5))
        configuration.socket.userTimeout = .seconds(5)
        configuration.socket.sendBufferSize = 65_536
        configuration.runningTasks = 3
        try await forEach(configuration) { configuration in
            var configuration = configuration
            // ExtremeSettingTests covers poller threads. Here they would only take time.
            configuration.pollerThreads = 0
            if configuration.timeouts.total ?? .unlimited == .unlimited { configuration.timeouts.total = .seconds(5) }
            try await SettingsUse.request(configuration, server)
        }
        await server.stop()
    }

    @Test("A deadline in the distant past passes at once instead of trapping")
    func distantPast() async throws {
        let server = try await SettingsUse.server()
        let archive = Data(#"{"timeouts": {"head": -1e12}}"#.utf8)
        let configuration = try JSONDecoder().decode(ClientConfiguration.self, from: archive)
        await #expect(throws: SockeyeError.self) { try await SettingsUse.request(configuration, server) }
        // Users of `URLSession` write "no time left" like this.
        let left = Duration.seconds(Date.distantPast.timeIntervalSinceNow)
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient.shared.get(server.url(), options: .timeout(head: left)).text()
        }
        #expect(error?.code == .timeout)
        await server.stop()
    }

    @Test("Extreme options, policies and serializers are refused or work")
    func others() async throws {
        let transport = MockTransport { _ in .status(503, headers: ["Retry-After": "3"]) }
        let client = HTTPClient(transport: transport)
        let brief = OutgoingRequest.Options.timeout(total: .milliseconds(50))
        var options = brief
        (options.bodyLimit, options.expectContinue, options.compression) = (7, .seconds(1), .gzip)
        try await forEach(options) { options in
            _ = try await client.post("http://a.test/", .text("a"), options: options.merging(brief)).text()
        }
        var policy = RetryPolicy()
        (policy.attemptTimeout, policy.maximumRetryAfter) = (.seconds(1), .zero)
        policy.breaker = RetryPolicy.CircuitBreaker()
        policy.maximumCount = 1
        try await forEach(policy) { policy in
            _ = try await client.adding(policy).get("http://a.test/", options: brief).text()
        }
        try await forEach(RedirectPolicy()) { policy in
            _ = try await client.adding(policy).get("http://a.test/", options: brief).text()
        }
        try await forEach(RetryBackoff.exponential()) { #expect($0.pause(before: 5, random: 0.5) >= .zero) }
        #if Images
        try await forEach(ImageInfo.Limits())
        #endif
        try await forEach(ParameterSerializer.Options(requestOptions: options))
        try await forEach(client.archivedScope())
        try await forEach(TLSOptions())
    }
}
