import SockeyeHTTP

/// The compression parameters of one direction (RFC 7692 7.1).
package struct DeflateDirection: Sendable, Hashable {
    /// The base-two logarithm of the window's size in bytes, 8 to 15.
    package var windowBits: Int
    /// True if a message may refer to earlier ones (context takeover).
    package var keepsContext: Bool

    package init(windowBits: Int = 15, keepsContext: Bool = true) {
        self.windowBits = windowBits
        self.keepsContext = keepsContext
    }
}

/// The agreed parameters of permessage-deflate (RFC 7692 7), and their negotiation.
package struct DeflateAgreement: Sendable, Hashable {
    /// The parameters of the client's messages.
    package var client = DeflateDirection()
    /// The parameters of the server's messages.
    package var server = DeflateDirection()

    package init(client: DeflateDirection = DeflateDirection(), server: DeflateDirection = DeflateDirection()) {
        self.client = client
        self.server = server
    }

    package static let name = "permessage-deflate"

    /// The parsed parameters of an offer or a response. Names and values are valid, but not yet compared with this
    /// side's settings.
    private struct Parameters {
        var clientKeepsContext = true
        var serverKeepsContext = true
        var clientBits: Int?
        var serverBits: Int?
        /// True if `client_max_window_bits` is present. In an offer it may have no value; then ``clientBits`` is nil.
        var takesClientBits = false

        /// Nil for unknown parameters, repetitions and values out of range (RFC 7692 7.1).
        init?(_ element: ExtensionElement) {
            var seen: Set<String> = []
            for parameter in element.parameters {
                guard seen.insert(parameter.name).inserted else { return nil }
                switch (parameter.name, parameter.value) {
                case ("client_no_context_takeover", nil): clientKeepsContext = false
                case ("server_no_context_takeover", nil): serverKeepsContext = false
                case ("client_max_window_bits", nil): takesClientBits = true
                case ("client_max_window_bits", let value?):
                    guard let bits = Self.bits(value) else { return nil }
                    clientBits = bits
                    takesClientBits = true
                case ("server_max_window_bits", let value?):
                    guard let bits = Self.bits(value) else { return nil }
                    serverBits = bits
                default: return nil
                }
            }
        }

        /// Parses a decimal number without leading zeros, 8 to 15.
        private static func bits(_ text: String) -> Int? {
            (8...15).first { String($0) == text }
        }
    }

    /// Returns the client's offer (RFC 7692 5.1). A response may restrict `wanted`, but not exceed it.
    package static func offer(_ wanted: DeflateAgreement) -> ExtensionElement {
        var parameters: [ExtensionElement.Parameter] = []
        if !wanted.server.keepsContext { parameters.append(.init("server_no_context_takeover")) }
        if !wanted.client.keepsContext { parameters.append(.init("client_no_context_takeover")) }
        if wanted.server.windowBits < 15 {
            parameters.append(.init("server_max_window_bits", String(wanted.server.windowBits)))
        }
        let clientBits = wanted.client.windowBits < 15 ? String(wanted.client.windowBits) : nil
        parameters.append(.init("client_max_window_bits", clientBits))
        return ExtensionElement(name, parameters)
    }

    /// Parses the server's response to ``offer(_:)``; nil if the response is invalid or exceeds the offer (RFC 7692
    /// 5.1, 7.1).
    package init?(answer: ExtensionElement, to wanted: DeflateAgreement) {
        guard answer.name == Self.name, let answered = Parameters(answer) else { return nil }
        // In a response client_max_window_bits must have a value (RFC 7692 7.1.2.2).
        guard !answered.takesClientBits || answered.clientBits != nil else { return nil }
        guard wanted.server.keepsContext || !answered.serverKeepsContext else { return nil }
        let serverBits = answered.serverBits ?? 15
        guard serverBits <= wanted.server.windowBits else { return nil }
        server = DeflateDirection(windowBits: serverBits, keepsContext: answered.serverKeepsContext)
        client = DeflateDirection(
            windowBits: min(wanted.client.windowBits, answered.clientBits ?? 15),
            keepsContext: wanted.client.keepsContext && answered.clientKeepsContext)
    }

    /// Accepts the first suitable offer, and returns the agreement with the response to send; nil if no offer is
    /// suitable.
    ///
    /// - Parameter wanted: The server's limits: the largest windows, and the directions in which context may be kept.
    package static func accepting(
        _ offers: [ExtensionElement], wanted: DeflateAgreement
    ) -> (agreement: DeflateAgreement, answer: ExtensionElement)? {
        for offer in offers where offer.name == name {
            guard let offered = Parameters(offer) else { continue }
            // A client that does not offer client_max_window_bits must not be told to use a smaller window (RFC 7692
            // 7.1.2.2).
            guard wanted.client.windowBits == 15 || offered.takesClientBits else { continue }
            var agreement = wanted
            agreement.server.keepsContext = wanted.server.keepsContext && offered.serverKeepsContext
            agreement.client.keepsContext = wanted.client.keepsContext && offered.clientKeepsContext
            agreement.server.windowBits = min(wanted.server.windowBits, offered.serverBits ?? 15)
            agreement.client.windowBits = min(wanted.client.windowBits, offered.clientBits ?? 15)
            var parameters: [ExtensionElement.Parameter] = []
            if !agreement.server.keepsContext { parameters.append(.init("server_no_context_takeover")) }
            if !agreement.client.keepsContext { parameters.append(.init("client_no_context_takeover")) }
            if let bits = offered.serverBits.map({ min($0, wanted.server.windowBits) }) ?? wanted.server.limit {
                parameters.append(.init("server_max_window_bits", String(bits)))
            }
            if agreement.client.windowBits < 15 {
                parameters.append(.init("client_max_window_bits", String(agreement.client.windowBits)))
            }
            return (agreement, ExtensionElement(name, parameters))
        }
        return nil
    }
}

extension DeflateDirection {
    fileprivate var limit: Int? { windowBits < 15 ? windowBits : nil }
}
