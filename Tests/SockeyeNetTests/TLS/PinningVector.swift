import SockeyeNet
import SockeyeTestSupport
import Testing

/// A case of pinning: a server, the pins of the client, and whether the client accepts the server.
struct PinningVector: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let mode: String
    let pinned: String?
    let chainTrusted: Bool
    let hostMatches: Bool
    let checkHost: Bool
    let allowUntrusted: Bool
    let accept: Bool?

    var testDescription: String { "\(id) \(mode) \(pinned ?? "")" }

    static let all = Vectors.load(
        own: "pinning.json", public: ["acceptance/pinning.json"], as: Self.self)

    /// The lines that demand one outcome.
    static let decided = all.filter { $0.accept != nil }

    /// The possible reasons of a refusal; any of them may be found first.
    var refusals: Set<TLSError.Reason> {
        var reasons: Set<TLSError.Reason> = []
        if !chainTrusted, !allowUntrusted {
            reasons.formUnion([.certificateExpired, .selfSigned, .untrustedRoot, .missingIntermediate])
        }
        if !hostMatches, checkHost { reasons.insert(.hostNameMismatch) }
        return reasons.isEmpty ? [.pinMismatch] : reasons
    }
}
