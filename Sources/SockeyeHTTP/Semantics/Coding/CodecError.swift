/// Why a body could not be decoded or encoded.
package enum CodecError: Error, Sendable, Hashable {
    /// The data is not of the coding's format, or a checksum or size in it is wrong; `reason` comes from zlib.
    case corrupt(reason: String)
    /// The data ends before the coding's own end, its header and trailer included.
    case truncated
    /// Other data follows the end of the coded data.
    case trailingGarbage
    /// More decoded bytes than ``DecodingLimits/maximumBytes``.
    case tooLarge(limit: Int)
    /// More decoded bytes for each coded byte than ``DecodingLimits/maximumRatio``.
    case ratioExceeded(limit: Int)
    case tooManyCodings(limit: Int)
    /// A coding that is not known here, as the peer named it, in lower case.
    case unsupported(coding: String)
    case outOfMemory
    /// The codec was used out of order: pushed to after its end, ended before its output was taken, or a bad level.
    case misuse
}

extension CodecError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .corrupt(let reason): "the coded body is corrupt: \(reason)"
        case .truncated: "the coded body ends too early"
        case .trailingGarbage: "other data follows the coded body"
        case .tooLarge(let limit): "the decoded body is larger than the limit of \(limit) bytes"
        case .ratioExceeded(let limit): "the decoded body is more than \(limit) times as large as the coded one"
        case .tooManyCodings(let limit): "the body has more than \(limit) content codings"
        case .unsupported(let coding): "the content coding \(Self.printable(coding)) is not supported"
        case .outOfMemory: "zlib could not get memory"
        case .misuse: "the codec was used out of order or with a bad level"
        }
    }

    /// The name only when it is a short word: whatever else a peer sends has no place in a log line.
    private static func printable(_ coding: String) -> String {
        let isWord = coding.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
        return isWord && coding.utf8.count <= 32 ? "\"\(coding)\"" : "(not a usable name)"
    }
}
