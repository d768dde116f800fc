extension HTTPURL {
    /// The reason why a string is not an accepted http or https URL, and the position of the fault.
    ///
    /// It holds no part of the refused string: a URL may carry a password, and errors end up in logs.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of a fault. More codes may be added in a minor release.
        public struct Code: Sendable, Hashable, CustomStringConvertible {
            private enum Value: String, Sendable {
                case tooLong = "the URL is longer than 65536 bytes"
                case control = "the URL contains a control character (CR, LF, NUL, tab …)"
                case relative = "the URL is relative: it has no scheme"
                case unsupportedScheme = "the scheme is neither http nor https"
                case missingAuthority = "the scheme is not followed by // and a host"
                case backslash = "the URL has a backslash in or before the host, which parsers interpret differently"
                case userInfo = "the user information is malformed; '@' in it must be written %40"
                case emptyHost = "the host is empty"
                case invalidHost = "the host has a character that is not allowed, or an empty label"
                case hostTooLong = "a label of the host exceeds 63 bytes, or the whole host exceeds 253 bytes"
                case invalidIPv4 = "the host ends in a number but is not an IPv4 address"
                case invalidIPv6 = "the IPv6 literal is malformed"
                case internationalHost = "the host is not a valid internationalized domain name (UTS 46)"
                case port = "the port is not a number from 1 to 65535"
            }

            private let value: Value

            /// The URL, as given or normalised, is longer than 65,536 bytes.
            public static let tooLong = Code(value: .tooLong)
            /// There is a C0 control or DEL inside the URL.
            public static let control = Code(value: .control)
            /// The string has no scheme, but an absolute URL is required.
            public static let relative = Code(value: .relative)
            /// The scheme is neither `http` nor `https`.
            public static let unsupportedScheme = Code(value: .unsupportedScheme)
            /// The scheme is not followed by `//`.
            public static let missingAuthority = Code(value: .missingAuthority)
            /// There is a backslash in or before the authority, where some parsers read a slash and others do not.
            public static let backslash = Code(value: .backslash)
            /// The user information has a bare `@`, or decodes to a control character or to bytes that are not UTF-8.
            public static let userInfo = Code(value: .userInfo)
            /// There is no host.
            public static let emptyHost = Code(value: .emptyHost)
            /// The host, percent-decoded, has a forbidden character or an empty label, or is not UTF-8.
            public static let invalidHost = Code(value: .invalidHost)
            /// In the ASCII form of the host, a label is longer than 63 bytes, or the whole host longer than 253 (RFC
            /// 1035, 2.3.4). A host outside ASCII is also too long if it has more than 4096 bytes before its conversion
            /// to ASCII.
            public static let hostTooLong = Code(value: .hostTooLong)
            /// The last label is a number, but the host is not an IPv4 address.
            public static let invalidIPv4 = Code(value: .invalidIPv4)
            /// The text in brackets is not an IPv6 address, or its zone is not acceptable.
            public static let invalidIPv6 = Code(value: .invalidIPv6)
            /// A host outside ASCII fails UTS 46 processing.
            public static let internationalHost = Code(value: .internationalHost)
            /// The port is not a decimal number from 1 to 65535.
            public static let port = Code(value: .port)

            /// A sentence for people; its wording may change.
            public var description: String { value.rawValue }
        }

        /// The kind of the fault.
        public let code: Code
        /// The position of the fault in the given string, in UTF-8 bytes from 0; nil if unknown.
        public let offset: Int?

        init(_ code: Code, at offset: Int? = nil) {
            self.code = code
            self.offset = offset
        }

        init(_ fault: HostFault, at offset: Int) {
            let code: Code =
                switch fault {
                case .empty: .emptyHost
                case .invalid: .invalidHost
                case .tooLong: .hostTooLong
                case .invalidIPv4: .invalidIPv4
                case .invalidIPv6: .invalidIPv6
                case .international: .internationalHost
                }
            self.init(code, at: offset)
        }

        /// The kind and the position of the fault, without any part of the URL.
        public var description: String {
            guard let offset else { return code.description }
            return "\(code.description) (at byte \(offset))"
        }
    }
}
