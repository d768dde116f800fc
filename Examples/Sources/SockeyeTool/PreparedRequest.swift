import Sockeye
import SockeyeToolKit

/// A request made from a draft: its URL is parsed, and its files exist.
struct PreparedRequest {
    private(set) var request: OutgoingRequest
    /// True if the content is a file or a form, so that the upload shows a progress bar.
    let isUpload: Bool

    init(_ draft: RequestDraft, cookies: String?, options: OutgoingRequest.Options) throws {
        guard let method = HTTPRequest.Method(draft.method) else {
            throw UsageFault("'\(draft.method)' is not a method")
        }
        request = try OutgoingRequest(method: method, url: draft.url, headers: draft.headers, options: options)
        if let query = draft.query {
            do {
                request.url = try request.url.appending(query: query)
            } catch {
                throw UsageFault("the query cannot be added to the URL: \(error)")
            }
        }
        if let cookies { request.headers.append("Cookie", cookies) }
        isUpload = if case .file = draft.content { true } else if case .form = draft.content { true } else { false }
        let (body, type) = try Self.body(draft.content)
        request.body = body
        if let type { request.headers[.contentType] = type }
    }

    /// Asks for a part of the content (RFC 9110 14.2).
    mutating func setRange(_ range: String) {
        request.headers[.range] = range
    }

    private static func body(_ content: RequestDraft.Content) throws -> (OutgoingRequest.Body, type: String?) {
        let input = StandardStreams.current.input
        switch content {
        case .none: return (.none, nil)
        case .json(let value, let type): return (.bytes(value.bytes(options: .withoutEscapingSlashes)), type)
        case .file(let path, let type):
            return (StandardInput.isStream(path) ? .stream(input.pieces(of: path)) : try .file(path), type)
        case .form(let parts):
            let form = try form(parts, input)
            return (try form.body(), form.contentType)
        case .standardInput(let type):
            let bytes = try input.content(of: "-")
            return bytes.isEmpty ? (.none, nil) : (.bytes(bytes), type)
        case .pieces(let pieces, let separator, let type):
            if pieces.count == 1, case .file(let path) = pieces[0], !StandardInput.isStream(path) {
                return (try .file(path), type)
            }
            var bytes: [UInt8] = []
            for (index, piece) in pieces.enumerated() {
                if index > 0 { bytes += Array(separator.utf8) }
                bytes += piece.bytes(try piece.path.map { try input.content(of: $0) } ?? [])
            }
            return (.bytes(bytes), type)
        }
    }

    private static func form(_ parts: [FormPart], _ input: StandardInput) throws -> MultipartForm {
        var form = MultipartForm()
        for part in parts {
            switch part.value {
            case .text(let text):
                form.data(part.name, Array(text.utf8), filename: part.fileName, contentType: part.type)
            case .textFile(let path): form.data(part.name, try input.content(of: path), contentType: part.type)
            case .file(let path) where StandardInput.isStream(path):
                let name = part.fileName ?? path.split(separator: "/").last.map(String.init) ?? path
                form.data(part.name, try input.content(of: path), filename: name, contentType: part.type)
            case .file(let path): try form.file(part.name, at: path, filename: part.fileName, contentType: part.type)
            }
        }
        return form
    }
}

extension RequestDraft {
    /// True if the content is read from a pipe or a device while it is sent, so that only one request can send it.
    var isSentOnce: Bool {
        if case .file(let path, _) = content { StandardInput.isStream(path) } else { false }
    }
}
