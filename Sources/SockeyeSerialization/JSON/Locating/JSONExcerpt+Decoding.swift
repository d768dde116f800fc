public import SockeyeCore

extension JSONExcerpt {
    /// Where in `body` a decoder met what it complains about.
    ///
    /// That is the value at the error's coding path; the object, if a key is missing from it; and where the JSON breaks,
    /// if it does. Keys that the decoder converted (`userName` for `user_name`) are found, too. If the path leads
    /// nowhere, because the body is truncated for instance, it is the innermost value on the way there.
    public init(_ body: Bytes, for error: DecodingError) {
        self = unsafe body.withUnsafeBytes { unsafe JSONExcerpt($0.bindMemory(to: UInt8.self).span, for: error) }
    }

    /// Where in `body` the value at `path` starts, or the innermost one on the way there.
    public init(_ body: Bytes, at path: [any CodingKey]) {
        self = unsafe body.withUnsafeBytes { unsafe JSONExcerpt($0.bindMemory(to: UInt8.self).span, at: path) }
    }

    private init(_ bytes: Span<UInt8>, for error: DecodingError) {
        switch error {
        case .dataCorrupted(let context) where context.underlyingError is JSONError:
            self = (context.underlyingError as? JSONError)?.excerpt ?? JSONExcerpt(bytes, at: context.codingPath)
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            // Most likely no JSON at all; whoever parses it strictly knows the place.
            do throws(JSONError) {
                _ = try JSONReader(options: JSONReadingOptions(maximumSize: bytes.count)).value(bytes)
                self.init(bytes, at: [])
            } catch {
                self = error.excerpt
            }
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            self.init(bytes, at: context.codingPath)
        @unknown default: self.init(bytes, at: [])
        }
    }

    private init(_ bytes: Span<UInt8>, at path: [any CodingKey]) {
        let form = JSONTextForm(detecting: bytes)
        guard !form.isUTF8 else {
            var finder = JSONPathFinder(bytes, from: form.markLength)
            self.init(bytes, at: finder.offset(of: path))
            return
        }
        let text = form.transcoded(bytes).utf8
        var finder = JSONPathFinder(text.span, from: 0)
        self.init(text.span, at: finder.offset(of: path))
    }
}
