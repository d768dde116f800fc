/// The names of TLS alerts (RFC 8446 appendix B.2, RFC 5246 7.2).
enum TLSAlert {
    static let handshakeFailure: Int32 = 40
    static let protocolVersion: Int32 = 70
    static let insufficientSecurity: Int32 = 71
    static let noApplicationProtocol: Int32 = 120

    private static let names: [Int32: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate",
        42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
        46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied",
        50: "decode_error", 51: "decrypt_error", 60: "export_restriction", 70: "protocol_version",
        71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled",
        100: "no_renegotiation", 109: "missing_extension", 110: "unsupported_extension",
        111: "certificate_unobtainable", 112: "unrecognized_name", 113: "bad_certificate_status_response",
        114: "bad_certificate_hash_value", 115: "unknown_psk_identity", 116: "certificate_required",
        120: "no_application_protocol",
    ]

    /// RFC 8446 5.1 and 6: the type of records that are alerts, and the level that ends a connection.
    fileprivate static let recordType: UInt8 = 21
    fileprivate static let fatal: UInt8 = 2

    static func name(_ number: Int32) -> String {
        names[number].map { "\($0) (\(number))" } ?? "unknown alert (\(number))"
    }
}

/// The header of a TLS record (RFC 8446 5.1), as somebody reads it who expected something else.
package enum TLSRecord {
    /// The record that `bytes` begin with; nil if that is none (RFC 8446 5.1: content type, then major version 3).
    package static func description(of bytes: some Collection<UInt8>) -> String? {
        let start = Array(bytes.prefix(7))
        guard start.count > 1, (20...23).contains(start[0]), start[1] == 3 else { return nil }
        guard start.count == 7, start[0] == TLSAlert.recordType, start[5] == TLSAlert.fatal else {
            return "a TLS record"
        }
        return "the TLS alert \(TLSAlert.name(Int32(start[6])))"
    }
}
