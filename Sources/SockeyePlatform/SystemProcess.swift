import Glibc

/// Information about this process and the system.
package enum SystemProcess {
    package static var identifier: Int32 { getpid() }

    /// The effective user id.
    package static var user: UInt32 { geteuid() }

    /// Returns the value of an environment variable; nil if it is unset.
    package static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// The permissions that new files do not get (umask(2)); nil if unknown.
    ///
    /// It is read from `/proc`: umask(2) returns the mask only by changing it, which would affect all other threads.
    package static var creationMask: UInt32? {
        guard let status = try? SystemFile.contents(of: "/proc/self/status", limit: 1 << 20) else { return nil }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line.flatMap { UInt32($0.filter(\.isNumber), radix: 8) }
    }

    /// The name and release of the system (uname(2)), such as `Linux 6.1.0`.
    package static let system: String = {
        var name = utsname()
        guard unsafe uname(&name) == 0 else { return "Linux" }
        return text(name.sysname) + " " + text(name.release)
    }()

    /// Converts a character array of `utsname`, terminated by NUL.
    private static func text<Field>(_ field: Field) -> String {
        unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
