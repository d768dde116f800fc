import Foundation
import Sockeye
import SockeyeToolKit

/// A request made from a draft: its URL is parsed, and its files exist.
struct PreparedRequest {
    /// The maximum of bytes of `@FILE` and standard input that are held in memory, if they cannot be streamed.
    private static let memoryLimit = 64 << 20

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

    private static func body(_ content: RequestDraft.Content) throws -> (OutgoingRequest.Body, type: String?) {
        switch content {
        case .none: return (.none, nil)
        case .json(let value, let type): return (.bytes(value.bytes(options: .withoutEscapingSlashes)), type)
        case .file(let path, let type): return (try .file(path), type)
        case .form(let parts):
            let form = try form(parts)
            return (try form.body(), form.contentType)
        case .pieces(let pieces, let type):
            if pieces.count == 1, let path = pieces[0].file, path != "-" { return (try .file(path), type) }
            var bytes: [UInt8] = []
            for (index, piece) in pieces.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: "&")) }
                bytes += try piece.file.map { try read($0) } ?? Array((piece.withoutFiles ?? "").utf8)
            }
            return (.bytes(bytes), type)
        }
    }

    private static func form(_ parts: [FormPart]) throws -> MultipartForm {
        var form = MultipartForm()
        for part in parts {
            switch part.value {
            case .text(let text): form.field(part.name, text)
            case .file(let path): try form.file(part.name, at: path, filename: part.fileName, contentType: part.type)
            }
        }
        return form
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let handle else { throw UsageFault("\(path) cannot be read") }
        var bytes: [UInt8] = []
        while let piece = try? handle.read(upToCount: 1 << 16), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= memoryLimit else {
                throw UsageFault("\(path) has more than 64 MiB: --upload-file streams")
            }
        }
        return bytes
    }
}
