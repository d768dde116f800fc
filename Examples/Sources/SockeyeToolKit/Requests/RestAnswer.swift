/// The meaning of the answer to a request for the rest of a file (`--continue-at`).
package enum RestAnswer: Sendable, Hashable {
    /// The content follows the bytes that the file has.
    case append
    /// The file was complete.
    case complete
    /// The answer does not continue the file; the text says why.
    case refused(String)
    /// The answer is an error of the server, which other options treat.
    case failed

    /// - Parameters:
    ///   - offset: The number of bytes that the file has.
    ///   - contentRange: The field Content-Range (RFC 9110 14.4).
    package init(offset: Int, status: Int, contentRange: String?) {
        let range = contentRange.flatMap { Self.range($0) }
        switch status {
        case 206 where range?.first == offset: self = .append
        case 206: self = .refused("the server sends another part of the file than the one from byte \(offset)")
        case 416 where range?.total == offset: self = .complete
        case 416: self = .refused("the file on the server has no byte \(offset): it is another file or version")
        case 200..<300:
            self = .refused("the server does not send the file from byte \(offset) on, but the whole of it")
        default: self = .failed
        }
    }

    /// Parses `bytes 5-9/10`, `bytes 5-9/*` and `bytes */10`.
    private static func range(_ field: String) -> (first: Int?, total: Int?)? {
        guard field.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (Int(parts[0].prefix { $0 != "-" }), Int(parts[1]))
    }
}

/// The argument of `--continue-at`: `-` for the length of the output file, or a number of bytes.
package enum ContinueArgument: Sendable, Hashable {
    case file
    case offset(Int)

    package init(_ text: String) throws {
        if text == "-" {
            self = .file
        } else if let offset = Int(text), offset >= 0 {
            self = .offset(offset)
        } else {
            throw UsageFault("--continue-at is '-' or a number of bytes, and not '\(text)'")
        }
    }
}

/// The argument of `--range`, such as `0-99`, `100-`, `-100` or `0-9,20-29`.
package struct RangeArgument: Sendable, Hashable {
    /// The value of the field Range.
    package let field: String

    package init(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let isValid = parts.allSatisfy { $0.wholeMatch(of: /[0-9]+-[0-9]*|-[0-9]+|[0-9]+/) != nil }
        guard isValid else { throw UsageFault("'\(text)' is not a range of bytes, such as 0-99, 100- or -100") }
        // As in curl, a number alone means the rest from there.
        field = "bytes=" + (parts.count == 1 && !text.contains("-") ? text + "-" : text)
    }
}
