extension HTTPURL {
    /// Why a string was refused as an http or https URL, and where.
    ///
    /// It holds no part of the refused string: a URL may carry a password, and errors end up in logs.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was wrong. More codes may be added in a minor release.
        public struct Code: Sendable, Hashable, CustomStringConvertible {
            private enum Value: String, Sendable {
                case tooLong = "the URL is longer than 65536 bytes"
                case control = "a control character (CR, LF, NUL, tab …) stands in the URL"
                case relative = "the URL is relative: it has no scheme"
                case unsupportedScheme = "the scheme is neither http nor https"
                case missingAuthority = "the scheme is not followed by // and a host"
                case backslash = "a backslash stands where parsers disagree about the host"
                case userInfo = "the user information is malformed; '@' in it must be written %40"
                case emptyHost = "the host is empty"
                case invalidHost = "the host has a character that no host has, or an empty label"
                case hostTooLong = "a label of the host exceeds 63 bytes, or the host 253"
                case invalidIPv4 = "the host ends in a number but is no IPv4 address"
                case invalidIPv6 = "the IPv6 literal is malformed"
                case internationalHost = "the host is no valid internationalized domain name (UTS 46)"
                case port = "the port is not a number from 1 to 65535"
            }

            private let value: Value

            /// The URL, as given or as normalised, is longer than 65,536 bytes.
            public static let tooLong = Code(value: .tooLong)
            /// A C0 control or DEL stands inside the URL.
            public static let control = Code(value: .control)
            /// An absolute URL was needed, and the string has no scheme.
            public static let relative = Code(value: .relative)
            /// The scheme is neither `http` nor `https`.
            public static let unsupportedScheme = Code(value: .unsupportedScheme)
            /// The scheme is not followed by `//`.
            public static let missingAuthority = Code(value: .missingAuthority)
            /// A backslash stands in or before the authority, where some parsers read a slash and others do not.
            public static let backslash = Code(value: .backslash)
            /// The user information has a bare `@`, or decodes to a control or to something that is not UTF-8.
            public static let userInfo = Code(value: .userInfo)
            /// There is no host.
            public static let emptyHost = Code(value: .emptyHost)
            /// The host, percent-decoded, has a forbidden character or an empty label.
            public static let invalidHost = Code(value: .invalidHost)
            /// A label is longer than 63 bytes or the whole host longer than 253 (RFC 1035, 2.3.4).
            public static let hostTooLong = Code(value: .hostTooLong)
            /// The last label is a number, but the host is no IPv4 address.
            public static let invalidIPv4 = Code(value: .invalidIPv4)
            /// What stands in brackets is no IPv6 address, or its zone is not acceptable.
            public static let invalidIPv6 = Code(value: .invalidIPv6)
            /// A host outside ASCII fails UTS 46 processing.
            public static let internationalHost = Code(value: .internationalHost)
            /// The port is not a decimal number from 1 to 65535.
            public static let port = Code(value: .port)

            /// One sentence for people; its wording may change.
            public var description: String { value.rawValue }
        }

        /// What was wrong.
        public let code: Code
        /// The place in the given string, counted in UTF-8 bytes from 0, where it is known.
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

        /// The reason and the place, without any part of the URL.
        public var description: String {
            guard let offset else { return code.description }
            return "\(code.description) (at byte \(offset))"
        }
    }
}
