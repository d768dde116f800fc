public import HTTPTypes

extension Headers {
    /// The name of a request or response field, such as `Content-Type`.
    ///
    /// Names are compared and hashed without regard to case, and keep the case in which they were written. Sending a
    /// request with a name that is not a token (RFC 9110 5.1) fails.
    ///
    /// ```swift
    /// let headers: Headers = [.accept: "application/json", "X-Trace": "1"]
    /// ```
    public struct Name: Sendable {
        /// The name as it was written.
        package let text: String

        /// Creates a name from any text. The name is checked when a request with it is sent.
        public init(_ text: String) {
            self.text = text
        }

        /// Creates a name from a field name of swift-http-types, in its original case.
        public init(_ name: HTTPField.Name) {
            self.text = name.rawName
        }

        /// The name in lower case.
        package var lowercased: String { text.lowercased() }

        /// True if the name is a token (RFC 9110 5.1).
        package var isValid: Bool {
            unsafe ByteScan.withBytes(of: text.utf8) { unsafe !$0.isEmpty && $0.allSatisfy(ByteClass.isToken) }
        }
    }
}

extension Headers.Name: Hashable {
    /// Returns true if the names differ at most in the case of ASCII letters.
    public static func == (left: Headers.Name, right: Headers.Name) -> Bool {
        let count = left.text.utf8.count
        guard count == right.text.utf8.count else { return false }
        return unsafe ByteScan.withBytes(of: left.text.utf8) { one in
            unsafe ByteScan.withBytes(of: right.text.utf8) { other in
                guard let one = one.baseAddress, let other = other.baseAddress else { return true }
                return unsafe ByteScan.equalsIgnoringCase(one, other, count: count)
            }
        }
    }

    /// Feeds the lower-case form to the hasher.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(ByteClass.lowercased(byte)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension Headers.Name: ExpressibleByStringLiteral {
    /// Creates a name from a literal. The name is checked when a request with it is sent.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Headers.Name: CustomStringConvertible {
    /// The name as it was written.
    public var description: String { text }
}
