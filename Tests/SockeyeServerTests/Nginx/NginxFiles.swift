import Foundation
import Glibc
import SockeyeTesting

/// Writes the content and the configuration of an nginx server.
struct NginxFiles {
    let folder: String
    let ports: [String: Int]
    let authority: TestCertificateAuthority

    /// The size of `/big.bin`, a sparse file that uses no disk space.
    static let bigSize = 256 << 20
    /// The content of `/numbers.json`, large enough for several pieces of gzip.
    static let numbers = Array(0..<20_000)
    /// The size of `/pattern.bin`.
    static let patternSize = 3_000_000
    /// The end of chunked and close-delimited responses.
    static let tail = "THE END"

    func write() throws {
        for name in ["files", "uploads", "temp"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
        }
        try write(configuration("nginx.conf"), to: "nginx.conf")
        try write(configuration("locations.conf"), to: "locations.conf")
        let certificate = try authority.issue()
        try write(certificate.chainPEM, to: "server.pem")
        try write(certificate.key.pem, to: "server.key")
        try write(authority.pem, to: "clients.pem")
        for (name, status) in [("good", TestCertificateAuthority.OCSPStatus.good), ("revoked", .revoked)] {
            let response = try authority.ocspResponse(for: certificate, status)
            try Data(response).write(to: URL(filePath: "\(folder)/\(name).der"))
        }
        try write("ada:{PLAIN}love lace\n", to: "users")
        try writeContent()
    }

    private func writeContent() throws {
        try write(Self.tail, to: "files/tail.txt")
        try write("hello", to: "files/hello.txt")
        try write("for those with a password", to: "files/secret")
        try JSONEncoder().encode(Self.numbers).write(to: URL(filePath: folder + "/files/numbers.json"))
        var pattern = Data(capacity: Self.patternSize)
        while pattern.count < Self.patternSize {
            pattern.append(contentsOf: TestPattern.bytes(at: pattern.count, upTo: Self.patternSize - pattern.count))
        }
        try pattern.write(to: URL(filePath: folder + "/files/pattern.bin"))
        guard FileManager.default.createFile(atPath: folder + "/files/big.bin", contents: nil),
            unsafe truncate(folder + "/files/big.bin", off_t(Self.bigSize)) == 0
        else { throw ServerFailure("truncate", code: errno) }
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }

    private func configuration(_ name: String) throws -> String {
        var text = try String(contentsOfFile: Program.resource(name), encoding: .utf8)
        var replacements = ports.mapValues { String($0) }
        replacements["ROOT"] = folder
        // Otherwise nginx, if started as root, would serve as a user that cannot read the folder.
        replacements["USER"] = geteuid() == 0 ? "user root;" : ""
        replacements["LISTEN6"] = FreePorts.hasIPv6 ? "listen [::1]:\(ports["HTTP"] ?? 0);" : ""
        replacements["MANY_FIELDS"] = Self.fields(count: 190, size: 10)
        replacements["TOO_MANY_FIELDS"] = Self.fields(count: 200, size: 10)
        replacements["LARGE_FIELDS"] = Self.fields(count: 16, size: 3900)
        replacements["TOO_LARGE_FIELDS"] = Self.fields(count: 17, size: 3900)
        for (name, value) in replacements { text = text.replacing("@\(name)@", with: value) }
        return text
    }

    private static func fields(count: Int, size: Int) -> String {
        let value = String(repeating: "v", count: size)
        return (0..<count).map { "add_header X-Field-\($0) \(value);" }.joined(separator: "\n")
    }
}
