/// A content coding that this library can apply and undo (RFC 9110 8.4.1). The raw value is its name in HTTP.
///
/// The cases are the same whatever traits the package is used with. A coding whose library is not linked can be named, but
/// neither applied nor undone: a request that asks for it fails with an error that names the trait, and a response that
/// uses it keeps its content and its Content-Encoding field as they came.
@nonexhaustive public enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// No coding.
    case identity
    /// RFC 1952; `x-gzip` names the same coding.
    case gzip
    /// The zlib format (RFC 1950), which is what the name means in HTTP. Decoding takes raw deflate data (RFC 1951) as well,
    /// which some servers send instead.
    case deflate
    /// RFC 7932. Linked with the package's trait `Brotli`.
    case brotli = "br"
    /// RFC 8878, with windows as RFC 9659 limits them. Linked with the package's trait `Zstandard`.
    case zstandard = "zstd"

    /// Whether this build has the library that applies and undoes the coding.
    public var isLinked: Bool { missingTrait == nil }

    /// The trait of the package that links the coding's library; nil where it is linked.
    package var missingTrait: String? {
        switch self {
        case .identity, .gzip, .deflate: return nil
        case .brotli:
            #if Brotli
            return nil
            #else
            return "Brotli"
            #endif
        case .zstandard:
            #if Zstandard
            return nil
            #else
            return "Zstandard"
            #endif
        }
    }

    /// The codings that Accept-Encoding asks for: all that are linked (RFC 9110 12.5.3).
    package static let accepted = allCases.filter { $0 != .identity && $0.isLinked }.map(\.rawValue)
        .joined(separator: ", ")

    /// The most codings one body may have. Each costs a window (32 KiB for zlib's), and no honest server stacks more than two.
    package static let maximumStacked = 5

    /// The codings named by the values of all Content-Encoding fields, in the order in which they were applied.
    ///
    /// Case and blanks do not matter; `identity` and empty list elements are left out, so an empty result means that
    /// the body is not coded.
    ///
    /// - Throws: ``CodecError/tooManyCodings(limit:)``; ``CodecError/unsupported(coding:)`` for the first name that is
    ///   not known here: the body then has to be passed on as it came, with the field in place.
    package static func parse(_ fieldValues: [String]) throws(CodecError) -> [ContentCoding] {
        // What nearly every response says that is coded at all.
        if fieldValues.count == 1 {
            if fieldValues[0] == gzip.rawValue { return [.gzip] }
            if fieldValues[0] == deflate.rawValue { return [.deflate] }
        }
        var codings: [ContentCoding] = []
        var unknown: String?
        var count = 0
        for value in fieldValues {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.member() {
                let name = scan.lowercased(member)
                guard name != identity.rawValue else { continue }
                count += 1
                guard count <= maximumStacked else { throw .tooManyCodings(limit: maximumStacked) }
                if let coding = ContentCoding(name: name) {
                    codings.append(coding)
                } else if unknown == nil {
                    unknown = name
                }
            }
        }
        if let unknown { throw .unsupported(coding: unknown) }
        return codings
    }

    private init?(name: String) {
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
        guard isLinked else { return nil }
    }
}

/// Why a body could not be decoded or encoded.
package enum CodecError: Error, Sendable, Hashable {
    /// The data is not of the coding's format, or a checksum or size in it is wrong; `reason` comes from the codec's library.
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
    /// The library of the coding is linked only with the trait of the package.
    case notLinked(ContentCoding, trait: String)
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
        case .notLinked(let coding, let trait):
            "the content coding \"\(coding.rawValue)\" needs the trait \(trait) of the package sockeye"
        case .outOfMemory: "there is no memory for the codec"
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

extension Headers {
    /// Whether Accept-Encoding, if there is one, refuses every coding by `identity` alone (RFC 9110 12.5.3).
    package var refusesCodings: Bool {
        self[values: .acceptEncoding].allSatisfy { value in
            var scan = FieldScanner(value.utf8Span.span)
            scan.trim()
            return scan.skip(letters: "identity") && scan.isAtEnd
        }
    }
}
