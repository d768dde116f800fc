import Foundation
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("The forms in which pins are given")
struct PinTests {
    private static let digest = Array(UInt8(200)..<232)
    private static let base64 = Data(digest).base64EncodedString()
    private static let digits = digest.map { String($0, radix: 16) }

    @Test(
        "a digest is Base64 or hexadecimal, with a prefix or without",
        arguments: [
            base64, "sha256/" + base64, "sha256//" + base64, digits.joined(), "sha256/" + digits.joined().uppercased(),
            digits.joined(separator: ":").uppercased(),
        ])
    func digests(text: String) throws {
        #expect(try TLSOptions.Pinning.PublicKeyPin.spki(text).description == "sha256/" + Self.base64)
        #expect(try TLSOptions.Pinning.CertificatePin.sha256(text).description == "sha256/" + Self.base64)
    }

    @Test("Base64 with a leading slash is not mistaken for the longer prefix", arguments: ["", "sha256/", "sha256//"])
    func leadingSlash(prefix: String) throws {
        let base64 = Data(repeating: 0xFF, count: 32).base64EncodedString()
        #expect(base64.hasPrefix("//"))
        #expect(try TLSOptions.Pinning.PublicKeyPin.spki(prefix + base64).description == "sha256/" + base64)
    }

    private static let malformed: [String] = {
        let short = String(base64.dropLast(2))
        let colons = digits.joined(separator: ":")
        var texts = ["", "sha256/", "sha256/short=", "md5/\(base64)", "SHA256/\(base64)", "\(base64)A", " \(short)="]
        texts += [String(base64.dropLast()), "\(short)==", String(base64.replacing("/", with: "_").dropLast()) + "!"]
        texts += [digits.dropLast().joined(), digits.joined() + "0", "0x" + digits.joined()]
        texts += [colons.replacing(":c9", with: "::"), String(repeating: "g", count: 64)]
        // The first text has bits beyond the last byte, and the second a line end in its middle.
        texts += ["\(short)9=", "\(base64.prefix(20))\n\(base64.dropFirst(21))"]
        return texts
    }()

    @Test("a malformed digest is an error when the pin is made", arguments: malformed)
    func refused(text: String) {
        #expect(throws: TLSOptions.Fault.self) { try TLSOptions.Pinning.PublicKeyPin.spki(text) }
        #expect(throws: TLSOptions.Fault.self) { try TLSOptions.Pinning.CertificatePin.sha256(text) }
    }

    @Test("pins are made from certificates in DER or PEM, and from no other bytes")
    func certificates() throws {
        let certificate = try Authority.root.issue()
        #expect(
            try TLSOptions.Pinning.PublicKeyPin.certificate(certificate.der).description == certificate.publicKeyPin)
        #expect(
            try TLSOptions.Pinning.PublicKeyPin.certificate(pem: certificate.pem).description
                == certificate.publicKeyPin)
        let pin = try TLSOptions.Pinning.CertificatePin.certificate(certificate.der)
        #expect(try TLSOptions.Pinning.CertificatePin.certificate(pem: certificate.pem) == pin)
        #expect(pin.description == TLSCertificate(der: certificate.der).fingerprint)
        for der in [Bytes(), [1, 2, 3], Bytes(Array(certificate.der) + [0]), Bytes(certificate.der.dropLast())] {
            #expect(throws: TLSOptions.Fault.self) { try TLSOptions.Pinning.PublicKeyPin.certificate(der) }
            #expect(throws: TLSOptions.Fault.self) { try TLSOptions.Pinning.CertificatePin.certificate(der) }
        }
        for pem in [
            "", "nothing", certificate.pem + certificate.pem, certificate.key.pem, "\(certificate.pem.prefix(200))",
        ] {
            #expect(throws: TLSOptions.Fault.self) { try TLSOptions.Pinning.PublicKeyPin.certificate(pem: pem) }
            #expect(throws: TLSOptions.Fault.self) { try TLSOptions.Pinning.CertificatePin.certificate(pem: pem) }
        }
    }

    @Test("every certificate of a folder is pinned")
    func folder() throws {
        let folder = try TemporaryFolder()
        let certificates = try (0..<4).map { _ in try Authority.root.issue() }
        _ = try folder.write(certificates[0].pem + certificates[1].pem, to: "two.pem")
        _ = try folder.write(certificates[2].pem, to: "one.CRT")
        try Data(certificates[3].der).write(to: URL(filePath: folder.path + "/binary.cer"))
        _ = try folder.write("no certificate", to: "README")
        let keys = try TLSOptions.Pinning.publicKey(folder: folder.path)
        #expect(try keys == .publicKey(certificates.map { try .certificate($0.der) }))
        #expect(
            try TLSOptions.Pinning.certificate(folder: folder.path)
                == .certificate(certificates.map { try .certificate($0.der) }))
    }

    @Test("a folder is an error if it has no certificate, or if one of its files has none")
    func badFolders() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, "/nonexistent", "/dev/null"] {
            #expect(throws: TLSOptions.Fault.self) { try TLSOptions.Pinning.certificate(folder: path) }
            #expect(throws: TLSOptions.Fault.self) { try TLSOptions.Pinning.publicKey(folder: path) }
        }
        _ = try folder.write(Authority.server.pem, to: "good.pem")
        _ = try folder.write("damaged", to: "bad.crt")
        let error = #expect(throws: TLSOptions.Fault.self) { try TLSOptions.Pinning.certificate(folder: folder.path) }
        #expect(error?.description.contains("bad.crt") == true)
    }
}
