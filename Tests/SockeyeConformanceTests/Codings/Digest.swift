import COpenSSL
import Foundation
import SockeyeCore

/// Returns the SHA-256 of `bytes` in hexadecimal.
func hexadecimalSHA256(_ bytes: Bytes) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe bytes.withUnsafeBytes { _ = unsafe EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
    return digest.map { String(format: "%02x", $0) }.joined()
}
