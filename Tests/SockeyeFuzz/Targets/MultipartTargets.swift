import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeStreams

/// Received multipart bodies.
enum MultipartTargets {
    static let multipart: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        guard let boundary = MultipartBoundary(received: input.flag() ? "b" : "--b-\(input.choice(below: 10))") else {
            fatalError("no boundary")
        }
        var limits = MultipartLimits()
        if input.flag() { (limits.parts, limits.headBytes, limits.fields, limits.preambleBytes) = (3, 100, 4, 50) }
        let pieces = input.pieces()
        let whole = read([input.bytes[...]], boundary, limits)
        let cut = read(pieces, boundary, limits)
        require(whole == cut, "parts depend on how the bytes are cut: \(whole) \(cut)")
        require(whole.parts.reduce(0) { $0 + $1.content.count } <= bytes.count, "more content than bytes")
        require(whole.parts.count <= limits.parts, "too many parts")
    }

    private struct Part: Equatable {
        var fields: Headers
        var content: [UInt8] = []
        var isComplete = false
    }

    private struct Form: Equatable {
        var parts: [Part] = []
        var fault: MultipartFault?
    }

    private static func read(
        _ pieces: [ArraySlice<UInt8>], _ boundary: MultipartBoundary, _ limits: MultipartLimits
    ) -> Form {
        var parser = MultipartParser(boundary: boundary, limits: limits)
        var form = Form()
        var rest = pieces[...]
        do throws(MultipartFault) {
            while true {
                switch try parser.next() {
                case .needMore:
                    if let piece = rest.popFirst() { parser.append(Bytes(piece)) } else { parser.end() }
                case .part(let fields): form.parts.append(Part(fields: fields))
                case .data(let content):
                    require(!content.isEmpty && !form.parts.isEmpty, "content without a byte or a part")
                    form.parts[form.parts.count - 1].content += content
                case .endOfPart: form.parts[form.parts.count - 1].isComplete = true
                case .finished: return form
                }
            }
        } catch {
            form.fault = error
            return form
        }
    }
}
