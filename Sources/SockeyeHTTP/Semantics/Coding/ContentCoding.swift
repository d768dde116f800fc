/// A content coding that this library can apply and undo (RFC 9110 8.4.1). The raw value is its name in HTTP.
///
/// The cases do not depend on the traits of the package. If the library of a coding is not linked, its case still
/// exists, but the coding can be neither applied nor undone. A request that uses it fails with an error that names the
/// trait. A response that uses it keeps its content and its Content-Encoding field.
@nonexhaustive public enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// No coding.
    case identity
    /// RFC 1952; `x-gzip` names the same coding.
    case gzip
    /// The zlib format (RFC 1950), which is the meaning of the name in HTTP. Raw deflate data (RFC 1951) is decoded,
    /// too: some servers send it instead.
    case deflate
    /// RFC 7932. Linked with the package's trait `Brotli`.
    case brotli = "br"
    /// RFC 8878, with windows limited by RFC 9659. Linked with the package's trait `Zstandard`.
    case zstandard = "zstd"

    /// True if this build links the library of the coding.
    public var isLinked: Bool { missingTrait == nil }

    /// The trait of the package that links the coding's library; nil if the library is linked.
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

    /// The value of Accept-Encoding: all codings that are linked (RFC 9110 12.5.3).
    package static let accepted = allCases.filter { $0 != .identity && $0.isLinked }.map(\.rawValue)
        .joined(separator: ", ")

    /// The maximum number of codings of one body. Each costs a window (32 KiB for zlib), and no honest server stacks
    /// more than two.
    package static let maximumStacked = 5

    /// Parses the values of all Content-Encoding fields. Returns the codings in the order in which they were applied.
    ///
    /// Case and blanks are ignored. `identity` and empty list members are omitted, so an empty result means that the
    /// body is not coded.
    ///
    /// - Throws: ``CodecError/tooManyCodings(limit:)``, or ``CodecError/unsupported(coding:)`` for the first coding
    ///   that is unknown or not linked.
    package static func parse(_ fieldValues: [String]) throws(CodecError) -> [ContentCoding] {
        // The fast path for the values of nearly all coded responses.
        if fieldValues.count == 1 {
            if fieldValues[0].utf8.elementsEqual(gzip.rawValue.utf8) { return [.gzip] }
            if fieldValues[0].utf8.elementsEqual(deflate.rawValue.utf8) { return [.deflate] }
        }
        var codings: [ContentCoding] = []
        var unknown: String?
        var count = 0
        for value in fieldValues {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.member() {
                guard !scan.equals(member, "identity") else { continue }
                count += 1
                guard count <= maximumStacked else { throw .tooManyCodings(limit: maximumStacked) }
                if let coding = ContentCoding(scan, member) {
                    codings.append(coding)
                } else if unknown == nil {
                    unknown = scan.lowercased(member)
                }
            }
        }
        if let unknown { throw .unsupported(coding: unknown) }
        return codings
    }

    /// Returns true if the value of a Content-Encoding or Accept-Encoding field is just `identity`, or empty. An empty
    /// Accept-Encoding means that the client wants no coding (RFC 9110 12.5.3).
    package static func isIdentity(_ fieldValue: String) -> Bool {
        var scan = FieldScanner(fieldValue.utf8Span.span)
        scan.trim()
        return scan.isAtEnd || scan.skip(letters: "identity") && scan.isAtEnd
    }

    /// The linked coding that a member of a field names.
    private init?(_ scan: FieldScanner, _ member: Range<Int>) {
        if scan.equals(member, "gzip") || scan.equals(member, "x-gzip") {
            self = .gzip
        } else if scan.equals(member, "deflate") {
            self = .deflate
        } else if scan.equals(member, "br") {
            self = .brotli
        } else if scan.equals(member, "zstd") {
            self = .zstandard
        } else {
            return nil
        }
        guard isLinked else { return nil }
    }
}

/// The reason why a body could not be decoded or encoded.
package enum CodecError: Error, Sendable, Hashable {
    /// The data is malformed, a checksum or size in it is wrong, or too many bytes in a row decode to nothing. `reason`
    /// is a text for people, usually that of the codec's library.
    case corrupt(reason: String)
    /// The coded data ends too early, for example within its header or its trailer.
    case truncated
    /// Other data follows the end of the coded data.
    case trailingGarbage
    /// The decoded bytes exceed ``DecodingLimits/maximumBytes``.
    case tooLarge(limit: Int)
    /// The decoded bytes per coded byte exceed ``DecodingLimits/maximumRatio`` or, if that is nil,
    /// ``DecodingLimits/deflateRatio``.
    case ratioExceeded(limit: Int)
    case tooManyCodings(limit: Int)
    /// The coding is unknown, or its library is not linked. `coding` is the peer's name for it, in lower case.
    case unsupported(coding: String)
    /// The library of the coding is linked only with this trait of the package.
    case notLinked(ContentCoding, trait: String)
    case outOfMemory
    /// The codec was used out of order (input after the end, end before the output was taken), or the level is not
    /// supported.
    case misuse
}

extension CodecError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .corrupt(let reason): "the coded body is corrupt: \(reason)"
        case .truncated: "the coded body ends too early"
        case .trailingGarbage: "other data follows the coded body"
        case .tooLarge(let limit): "the decoded body exceeds the limit of \(limit) bytes"
        case .ratioExceeded(let limit): "the decoded body is more than \(limit) times as large as the coded one"
        case .tooManyCodings(let limit): "the body has more than \(limit) content codings"
        case .unsupported(let coding): "\(Self.phrase(coding)) is not supported"
        case .notLinked(let coding, let trait):
            "the content coding \"\(coding.rawValue)\" needs the trait \(trait) of the package sockeye"
        case .outOfMemory: "out of memory for the codec"
        case .misuse: "the codec was used out of order or with a bad level"
        }
    }

    /// Returns a phrase with the coding's name, unless the name is long or malformed. Such a name from a peer must not
    /// get into logs.
    private static func phrase(_ coding: String) -> String {
        let isWord = coding.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
        guard isWord, coding.utf8.count <= 32 else { return "a content coding with a malformed name" }
        return "the content coding \"\(coding)\""
    }
}

extension Headers {
    /// True if no Accept-Encoding field names a coding other than `identity` (RFC 9110 12.5.3). Also true if there is
    /// no such field.
    package var acceptsOnlyIdentity: Bool {
        self[values: .acceptEncoding].allSatisfy(ContentCoding.isIdentity)
    }
}
