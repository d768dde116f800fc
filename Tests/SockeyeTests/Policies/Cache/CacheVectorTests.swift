import SockeyeTestSupport
import Testing

@Suite("Cache vectors", .timeLimit(.minutes(2))) struct CacheVectorTests {
    private static func cases(_ kind: String) -> [CacheVector] {
        CacheVector.recent.filter { $0.kind == kind && $0.client == true }
    }

    @Test(
        "what RFC 9111 demands of a client's cache holds", .enabled(if: Vectors.arePresent, Vectors.absence),
        arguments: cases("required"))
    func required(_ vector: CacheVector) async throws {
        #expect(try await CacheVectorRun.failures(of: vector) == [])
    }

    /// Optional behaviour that was decided otherwise, or is none of a client's.
    static let chosen: [String: String] = [:]

    @Test(
        "optional behaviour is as it was chosen", .enabled(if: Vectors.arePresent, Vectors.absence),
        arguments: CacheVector.recent.filter { $0.kind != "required" || $0.client != true })
    func optional(_ vector: CacheVector) async throws {
        let failures = try await CacheVectorRun.failures(of: vector)
        #expect(failures.isEmpty == (Self.chosen[vector.id] == nil), "\(failures)")
    }

    static let chosenOlder: [String: String] = [:]

    @Test(
        "the older vectors hold, but for what was chosen", .enabled(if: Vectors.arePresent, Vectors.absence),
        arguments: CacheVector.older)
    func older(_ vector: CacheVector) async throws {
        let failures = try await CacheVectorRun.failures(of: vector, isOlder: true)
        #expect(failures.isEmpty == (Self.chosenOlder[vector.id] == nil), "\(failures)")
    }
}
