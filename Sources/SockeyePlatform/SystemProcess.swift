import Glibc

/// What the system knows of this process, and of itself.
package enum SystemProcess {
    package static var identifier: Int32 { getpid() }

    /// The user whose rights this process has.
    package static var user: UInt32 { geteuid() }

    /// The value of an environment variable.
    package static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// The rights that new files do not get (umask(2)); nil where that is not known. `umask` could only be asked by changing
    /// it, under all other threads, so the answer is that of `/proc`.
    package static var creationMask: UInt32? {
        guard let status = try? SystemFile.contents(of: "/proc/self/status", limit: 1 << 20) else { return nil }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line.flatMap { UInt32($0.filter(\.isNumber), radix: 8) }
    }

    /// Name and release of the system (uname(2)), such as `Linux 6.1.0`.
    package static let system: String = {
        var name = utsname()
        guard unsafe uname(&name) == 0 else { return "Linux" }
        return text(name.sysname) + " " + text(name.release)
    }()

    /// One of the arrays of characters in `utsname`, ended by NUL.
    private static func text<Field>(_ field: Field) -> String {
        unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
