import Sockeye
import SockeyeCore

/// The form of curl's `-F name=value` and `-F name=@file`.
struct CurlForm: Sendable {
    private var parts: [(name: String, value: String)] = []

    var isEmpty: Bool { parts.isEmpty }

    mutating func add(_ text: String) throws {
        let pair = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard pair.count == 2, !text.contains(";"), !pair[1].hasPrefix("<") else {
            throw CurlCommand.Unsupported(description: "-F with more than a name and a value")
        }
        parts.append((pair[0], pair[1]))
    }

    /// Returns the form with a boundary as long as curl's, so that lengths can be compared.
    func form(for vector: CurlCase) throws -> MultipartForm {
        var form = try MultipartForm(boundary: String(repeating: "-", count: 24) + "0123456789abcdef012345")
        for (name, value) in parts {
            guard value.hasPrefix("@") else {
                form.field(name, value)
                continue
            }
            let path = String(value.dropFirst())
            guard let bytes = vector.file(path) else { throw CurlCommand.Unsupported(description: "a missing file") }
            form.data(name, bytes, filename: path.split(separator: "/").last.map(String.init))
        }
        return form
    }

    /// Restores the length of the recorded boundaries, which are shorter than those that Content-Length counts.
    static func withWholeBoundaries(_ recording: [UInt8]) -> [UInt8] {
        let text = String(decoding: recording, as: UTF8.self)
        return Array(text.replacing(/-{24,}[0-9a-f]{12}/) { $0.output + "000000" }.utf8)
    }

    /// Returns the lines between the boundaries, because the boundary differs in each recorded request.
    static func withoutBoundaries(_ body: [UInt8]) -> [ArraySlice<UInt8>] {
        body.split(separator: 10).filter { !$0.starts(with: Array("------".utf8)) }
    }
}
