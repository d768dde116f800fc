import SockeyeCore
import SockeyeEssentials
package import SockeyeHTTP
import SockeyePlatform

/// The client's side of the opening handshake (RFC 6455 4.1), without I/O: the fields to send, and the check of the
/// response.
package struct OpeningHandshake: Sendable {
    /// The subprotocol and the compression that a valid response agrees to.
    package struct Agreement: Sendable, Hashable {
        /// The subprotocol that the server chose; nil if the response names no subprotocol.
        package var subprotocol: String?
        /// The parameters of permessage-deflate; nil without compression.
        package var compression: DeflateAgreement?

        package init(subprotocol: String? = nil, compression: DeflateAgreement? = nil) {
            self.subprotocol = subprotocol
            self.compression = compression
        }
    }

    /// The reason to refuse a response with the status 101.
    package enum Fault: Error, Sendable, Hashable {
        case badAccept
        case badSubprotocol
        case badExtensions
    }

    /// The value of Sec-WebSocket-Key: the Base64 of 16 random bytes, for one connection only.
    package let key: String
    /// The value of Sec-WebSocket-Accept in a valid response; nil if the crypto library lacks SHA-1. Then no response
    /// can be checked, so the request should not be sent.
    let expectedAccept: String?
    private let subprotocols: [String]
    /// The wanted parameters of permessage-deflate; nil to offer no compression.
    private let compression: DeflateAgreement?

    /// - Parameter accept: Computes the value of Sec-WebSocket-Accept for a key.
    package init(
        key: String = OpeningHandshake.makeKey(), subprotocols: [String], compression: DeflateAgreement?,
        accept: (String) -> String? = { OpeningHandshake.accept(for: $0) }
    ) {
        self.key = key
        expectedAccept = accept(key)
        self.subprotocols = subprotocols
        self.compression = compression
    }

    /// The fields to send, without Upgrade and Connection. The engine adds these two fields.
    package var fields: [(name: Headers.Name, value: String)] {
        var fields: [(name: Headers.Name, value: String)] = [
            ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", key),
        ]
        if !subprotocols.isEmpty {
            fields.append(("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")))
        }
        if let compression { fields.append(("Sec-WebSocket-Extensions", DeflateAgreement.offer(compression).text)) }
        return fields
    }

    /// Checks a response with the status 101 by the values of its fields Sec-WebSocket-Accept, Sec-WebSocket-Protocol
    /// and Sec-WebSocket-Extensions.
    package func agreement(
        accept: [String], subprotocol: [String], extensions: [String]
    ) throws(Fault) -> Agreement {
        guard accept.count == 1, FieldBytes.areEqual(accept[0], expectedAccept) else { throw .badAccept }
        guard subprotocol.count <= 1, subprotocol.allSatisfy(isOffered) else { throw .badSubprotocol }
        guard let elements = ExtensionElement.parse(extensions), elements.count <= 1 else { throw .badExtensions }
        var agreement = Agreement(subprotocol: subprotocol.first)
        if let element = elements.first {
            guard let compression, let agreed = DeflateAgreement(answer: element, to: compression) else {
                throw .badExtensions
            }
            agreement.compression = agreed
        }
        return agreement
    }

    private func isOffered(_ subprotocol: String) -> Bool {
        subprotocols.contains { FieldBytes.areEqual($0, subprotocol) }
    }

    package static func makeKey() -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        unsafe bytes.withUnsafeMutableBytes { unsafe SystemRandom.fill($0) }
        return Data(bytes).base64EncodedString()
    }

    /// Returns the value of Sec-WebSocket-Accept for a key (RFC 6455 4.2.2); nil if the crypto library lacks SHA-1.
    package static func accept(for key: String) -> String? {
        guard let hash = IncrementalHash(.sha1) else { return nil }
        hash.update(Bytes(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
        return Data(hash.finish()).base64EncodedString()
    }

    /// Returns true if a text is a valid value of Sec-WebSocket-Key: the Base64 of 16 bytes.
    package static func isKey(_ text: String) -> Bool {
        Data(base64Encoded: text)?.count == 16
    }
}

extension OpeningHandshake.Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badAccept: "Sec-WebSocket-Accept is missing, repeated or wrong"
        case .badSubprotocol: "Sec-WebSocket-Protocol is repeated, or names a subprotocol that was not offered"
        case .badExtensions: "Sec-WebSocket-Extensions is malformed, or goes beyond the offer of the client"
        }
    }
}
