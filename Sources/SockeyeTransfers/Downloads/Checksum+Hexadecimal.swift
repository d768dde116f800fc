public import SockeyeEngine
public import SockeyeHTTP

extension Checksum {
    /// Parses a SHA-256 checksum in hexadecimal, as printed by `sha256sum`.
    ///
    /// ```swift
    /// let task = try client.download(
    ///     url, to: .file(path), options: .checksum(.sha256(expected)))
    /// ```
    ///
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/badConfiguration`` unless the text is 64 hexadecimal digits.
    public static func sha256(_ hex: String) throws(SockeyeError) -> Checksum { try parsed(.sha256, hex) }

    /// Parses a SHA-512 checksum in hexadecimal, as printed by `sha512sum`.
    ///
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/badConfiguration`` unless the text is 128 hexadecimal
    ///   digits.
    public static func sha512(_ hex: String) throws(SockeyeError) -> Checksum { try parsed(.sha512, hex) }

    private static func parsed(_ algorithm: Algorithm, _ hex: String) throws(SockeyeError) -> Checksum {
        if let checksum = Checksum(algorithm, hex: hex) { return checksum }
        let message =
            "a \(algorithm.rawValue) checksum is \(2 * algorithm.length) hexadecimal digits, not '\(hex.prefix(20))'"
        throw SockeyeError(.init(.badConfiguration, phase: .prepare, blame: .caller, message: message))
    }
}
