extension TLSOptions {
    /// How it is found out whether certificates have been revoked before their time. Default: not at all.
    ///
    /// What is looked at is what the caller or the server provides: lists in files (CRLs, RFC 5280 5) and the OCSP response
    /// that a server staples (RFC 6066 8). Nothing is ever fetched: neither the lists nor the responders that certificates
    /// name, nor delta lists; a stapled response is about the server's own certificate only, not about intermediates.
    /// Short-lived certificates, or an evaluation (``TLSOptions/evaluate``), are the way to more.
    ///
    /// Both go with a verified chain: with a ``TLSOptions/verification`` that does not ask for one, lists are not
    /// looked at. A resumed session is not looked at again, but is not resumed past the end of the stapled response, nor
    /// after the files of lists have changed. Connections that are open stay so: `pool?.closeIdle()` of the client ends them.
    public struct Revocation: Sendable, Hashable {
        /// What to do where it cannot be found out.
        @nonexhaustive public enum Policy: String, Sendable, Hashable, CaseIterable {
            /// The server is trusted, unless it is known to be revoked. Keeps out the careless rather than the attacker,
            /// who does not staple what tells on him. A certificate that says it must be stapled (RFC 7633) is held to it.
            case soft
            /// The server is refused.
            case hard
        }

        /// Lists of revoked certificates, in PEM or DER form.
        public struct Lists: Sendable, Hashable {
            package enum Source: Sendable, Hashable {
                case file(String)
                case folder(String)
            }

            package var source: Source
            /// What to do where no list of the issuer is there, or only one that has expired. Default ``Policy/hard``.
            public var policy = Policy.hard
            /// Whether the issuers are looked up as well, each in the list of its own issuer. Default false: only the server.
            public var coversChain = false

            /// The lists of one file: any number in PEM form, or one in DER form.
            public static func file(_ path: String) -> Lists { Lists(source: .file(path)) }

            /// The lists of all files of a folder that end in `crl`, `pem` or `der`. A file that is none is an error.
            public static func folder(_ path: String) -> Lists { Lists(source: .folder(path)) }
        }

        /// Lists to look certificates up in; read when a connection needs them, and again when their files have changed. Default
        /// nil: none.
        public var lists: Lists?
        /// What to do with the OCSP response that the server is then asked to staple. Default nil: it is not asked.
        public var stapling: Policy?

        /// Looks nothing up.
        public init() {}

        /// Looks nothing up. The default.
        public static let none = Revocation()

        /// Looks the server up in the lists of a file; all issuers as well if `coversChain` says so.
        public static func crl(file: String, _ policy: Policy = .hard, coversChain: Bool = false) -> Revocation {
            crl(.file(file), policy, coversChain)
        }

        /// Looks the server up in the lists of a folder.
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
    /// Where certificates are looked up, which of them, and how strictly.
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
