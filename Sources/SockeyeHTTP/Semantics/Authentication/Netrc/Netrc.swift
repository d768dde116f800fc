/// The logins of a `.netrc` file (the format of ftp(1) and of curl): names of machines, each with user and password.
package struct Netrc: Sendable {
    struct Entry: Sendable {
        /// Nil of the default.
        let machine: String?
        var login: String?
        var password: String?
    }

    let entries: [Entry]

    /// Whether there is nothing in it.
    package var isEmpty: Bool { entries.isEmpty }

    /// The credential of the first entry for a host by name. Hosts are compared without regard to case; a port plays no
    /// part.
    ///
    /// - Parameter user: Only entries of this user; nil: any.
    package func credential(for host: String, user: String? = nil) -> Credential? {
        let host = host.lowercased()
        return credential(user) { $0.machine?.lowercased() == host }
    }

    /// The credential for machines that are not named, where the file has one.
    package func defaultCredential(user: String? = nil) -> Credential? {
        credential(user) { $0.machine == nil }
    }

    private func credential(_ user: String?, _ matches: (Entry) -> Bool) -> Credential? {
        let entry = entries.first { entry in
            matches(entry) && (user == nil || entry.login == nil || entry.login == user)
                && (entry.login != nil || entry.password != nil)
        }
        return entry.map { .user($0.login ?? user ?? "", password: $0.password ?? "") }
    }
}

extension Netrc: CustomStringConvertible, CustomReflectable {
    /// How many logins there are, and none of them.
    package var description: String { "\(entries.count) logins" }

    /// The description alone.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
