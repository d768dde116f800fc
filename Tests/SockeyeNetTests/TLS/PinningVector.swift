import Foundation
import SockeyeNet
import Testing

/// A line of the public acceptance data for pinning; see the README next to it.
struct PinningVector: Decodable, Sendable, CustomTestStringConvertible {
    private enum CodingKeys: String, CodingKey {
        case id, mode, pinned, accept
        case chainTrusted = "chain_trusted"
        case hostMatches = "host_matches"
        case checkHost = "check_host"
        case allowUntrusted = "allow_untrusted"
    }

    let id: String
    let mode: String
    let pinned: String?
    let chainTrusted: Bool
    let hostMatches: Bool
    let checkHost: Bool
    let allowUntrusted: Bool
    let accept: Bool?

    var testDescription: String { "\(id) \(mode) \(pinned ?? "")" }

    static let all: [PinningVector] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared/vectors")
        guard let data = try? Data(contentsOf: root.appending(path: "acceptance/pinning.json")) else { return [] }
        return (try? JSONDecoder().decode([PinningVector].self, from: data)) ?? []
    }()

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
