import SockeyeCore

extension TLSOptions {
    /// The checks for revoked certificates. Default: no check.
    ///
    /// Two sources are supported: revocation lists in files (CRLs, RFC 5280 5) and the OCSP response that a server
    /// staples (RFC 6066 8). The client fetches neither lists nor OCSP responses. A stapled response covers only the
    /// server's own certificate, not intermediates. For further protection, use short-lived certificates or the closure
    /// ``TLSOptions/evaluate``.
    ///
    /// Both sources require the verification of the chain. The client verifies the chain if ``TLSOptions/verification``
    /// includes it, or if the closure ``TLSOptions/evaluate`` is set. If only the closure is set, lists refuse no
    /// server, but the closure gets their result (``TLSTrust/revocationLists``). If neither is the case, no certificate
    /// is checked against the lists.
    ///
    /// A resumed session is not checked again, but no session is resumed after its stapled response has expired, or
    /// after the files of lists have changed. With ``Policy/hard``, no session is resumed after a list has expired.
    /// Open connections stay in use; `pool?.closeIdle()` of the client closes the idle ones.
    public struct Revocation: Sendable, Hashable {
        /// The reaction if the status of a certificate is unknown.
        @nonexhaustive public enum Policy: String, Sendable, Hashable, CaseIterable {
            /// The server is trusted unless its certificate is known to be revoked.
            ///
            /// This does not protect against an attacker that omits the stapled response. But if the client asks for a
            /// response and the certificate requires stapling (RFC 7633), a missing or unusable response is an error.
            case soft
            /// The server is refused.
            case hard
        }

        /// Lists of revoked certificates, in PEM or DER form.
        public struct Lists: Sendable, Hashable {
            package enum Source: Sendable, Hashable {
                case file(String)
                case folder(String)

                package static func == (left: Source, right: Source) -> Bool {
                    switch (left, right) {
                    case (.file(let one), .file(let other)), (.folder(let one), .folder(let other)):
                        BytewiseText(one) == BytewiseText(other)
                    case (.file, _), (.folder, _): false
                    }
                }
            }

            package var source: Source
            /// The reaction if the issuer's list is missing, has expired, is not valid yet or does not cover the
            /// certificate. Default ``Policy/hard``.
            public var policy = Policy.hard
            /// Also checks the issuers, each against its own issuer's list. Default false: only the server's
            /// certificate.
            public var coversChain = false

            /// Uses the lists of one file: at least one, all in PEM form or all in DER form.
            public static func file(_ path: String) -> Lists { Lists(source: .file(path)) }

            /// Uses the lists of all files with the extension `crl`, `pem` or `der` in a folder. A file without a list
            /// is an error; a folder without such files is not.
            public static func folder(_ path: String) -> Lists { Lists(source: .folder(path)) }
        }

        /// The lists to check certificates against. Default nil: no lists.
        ///
        /// Read when a connection needs them, and again after their files have changed.
        public var lists: Lists?
        /// The policy for the stapled OCSP response. If it is set, the client asks the server to staple a response.
        /// Default nil: the client does not ask. Stapling requires the verification of the chain or
        /// ``TLSOptions/evaluate``; otherwise connections fail with ``TLSError/Reason/badConfiguration``.
        public var stapling: Policy?

        /// Creates a configuration without checks.
        public init() {}

        /// No checks. The default.
        public static let none = Revocation()

        /// Checks the server's certificate against the lists of a file; with `coversChain` also all issuers.
        public static func crl(file: String, _ policy: Policy = .hard, coversChain: Bool = false) -> Revocation {
            crl(.file(file), policy, coversChain)
        }

        /// Checks the server's certificate against the lists of a folder; with `coversChain` also all issuers.
        public static func crl(folder: String, _ policy: Policy = .hard, coversChain: Bool = false) -> Revocation {
            crl(.folder(folder), policy, coversChain)
        }

        private static func crl(_ lists: Lists, _ policy: Policy, _ coversChain: Bool) -> Revocation {
            var revocation = Revocation()
            revocation.lists = lists
            revocation.lists?.policy = policy
            revocation.lists?.coversChain = coversChain
            return revocation
        }

        /// Asks the server for a stapled response.
        public static func stapling(_ policy: Policy) -> Revocation {
            var revocation = Revocation()
            revocation.stapling = policy
            return revocation
        }
    }
}

extension TLSOptions.Revocation: CustomStringConvertible {
    /// The sources, scope and policies, as text.
    public var description: String {
        var parts: [String] = []
        if let lists {
            parts.append("\(lists.policy) lists of \(lists.path)" + (lists.coversChain ? " for the whole chain" : ""))
        }
        if let stapling { parts.append("\(stapling) stapling") }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

extension TLSOptions.Revocation.Lists {
    package var path: String {
        switch source {
        case .file(let path), .folder(let path): path
        }
    }
}
