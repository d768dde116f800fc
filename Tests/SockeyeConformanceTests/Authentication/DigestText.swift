import COpenSSL
import Foundation
import SockeyeCore

/// The parameters of a Digest field, read and checked independently of the tested code.
struct DigestText {
    private(set) var parameters: [String: String] = [:]

    /// Reads a field; nil for another scheme.
    init?(_ field: String) {
        guard field.hasPrefix("Digest ") else { return nil }
        var rest = Array(field.dropFirst("Digest ".count))[...]
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals]).trimmingCharacters(in: .whitespaces)
            rest = rest[(equals + 1)...]
            var value = ""
            if rest.first == "\"" {
                rest.removeFirst()
                while let character = rest.popFirst(), character != "\"" {
                    value.append(character == "\\" ? rest.popFirst() ?? character : character)
                }
                rest = rest.drop { $0 != "," }.dropFirst()
            } else {
                value = String(rest.prefix { $0 != "," })
                rest = rest.dropFirst(value.count + 1)
            }
            parameters[name] = value.trimmingCharacters(in: .whitespaces)
        }
    }

    subscript(name: String) -> String? { parameters[name] }

    /// Returns a comparable form of a field: without the values that each client chooses, sorted, and without quotes.
    static func comparable(_ field: String) -> String {
        guard var text = DigestText(field), text["cnonce"] != nil else { return field }
        for name in ["cnonce", "response"] { text.parameters[name] = nil }
        return "Digest "
            + text.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }

    /// Returns the response that a server expects (RFC 7616 3.4.1).
    func expected(_ method: String, user: String, password: String, content: Bytes) -> String {
        let algorithm = self["algorithm"] ?? "MD5"
        func hash(_ text: String) -> String { Self.hash(Bytes(text), algorithm) }
        let nonce = self["nonce"] ?? ""
        let clientNonce = self["cnonce"] ?? ""
        var key = hash("\(user):\(self["realm"] ?? ""):\(password)")
        if algorithm.hasSuffix("-sess") { key = hash("\(key):\(nonce):\(clientNonce)") }
        var subject = "\(method):\(self["uri"] ?? "")"
        if self["qop"] == "auth-int" { subject += ":" + Self.hash(content, algorithm) }
        guard let qop = self["qop"] else { return hash("\(key):\(nonce):\(hash(subject))") }
        return hash("\(key):\(nonce):\(self["nc"] ?? ""):\(clientNonce):\(qop):\(hash(subject))")
    }

    static func hash(_ bytes: Bytes, _ algorithm: String) -> String {
        var digest = [UInt8](repeating: 0, count: 64)
        var count: UInt32 = 0
        let name = algorithm.replacing("-sess", with: "").replacing("SHA-512-256", with: "SHA512-256")
        let function = unsafe EVP_get_digestbyname(name.replacing("SHA-256", with: "SHA256"))
        unsafe bytes.withUnsafeBytes { _ = unsafe EVP_Digest($0.baseAddress, $0.count, &digest, &count, function, nil) }
        return digest.prefix(Int(count)).map { String(format: "%02x", $0) }.joined()
    }
}
