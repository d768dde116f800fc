import Testing

@testable import SockeyeSoak

@Suite("Phases of the soak test's failures")
struct SoakPhaseTests {
    @Test(
        "the soak test expects each failing peer to fail in the right phase",
        arguments: [
            ("cut in the status line", .head), ("cut in the head", .head), ("cut in an interim answer", .head),
            ("silence in the head", .head), ("silence after an interim answer", .head), ("reset in the head", .head),
            ("chunked twice", .head), ("HTTP/1.0 chunked", .head), ("endless fields", .head),
            ("cut after the head", .body), ("cut in the body", .body), ("cut in a chunk", .body),
            ("cut in the trailers", .body), ("silence in the chunks", .body), ("chunk size negative", .body),
            ("gzip damaged", .body), ("endless bytes", .body),
        ] as [(String, Behaviour.Phase)])
    func phase(name: String, phase: Behaviour.Phase) throws {
        let behaviour = try #require(Behaviours.all.first { $0.name == name })
        #expect(behaviour.expected == .failure && behaviour.phase == phase)
    }
}
