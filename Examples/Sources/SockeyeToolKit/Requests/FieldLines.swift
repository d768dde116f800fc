import Sockeye

/// The fields of `--header` and of items, in curl's syntax: `Name: value`, `Name;` for a field without a value, and
/// `Name:` to omit a field that is sent otherwise.
package struct FieldLines: Sendable {
    package private(set) var headers = Headers()
    /// The fields that are not to be sent.
    package private(set) var omitted: Set<String> = []

    /// Fields that the library writes itself: without them the server could not read the request.
    private static let framing: Set<String> = ["host", "content-length", "transfer-encoding", "connection"]

    package init() {}

    package mutating func add(_ line: String) throws {
        let end = line.firstIndex { $0 == ":" || $0 == ";" }
        guard let end, end > line.startIndex else {
            throw UsageFault("'\(line)' is not a field: a name, a colon and a value")
        }
        let value = line[line.index(after: end)...].drop { $0 == " " || $0 == "\t" }
        if line[end] == ";" {
            guard value.isEmpty else {
                throw UsageFault("'\(line)' is not a field: a name, a colon and a value")
            }
            headers.append(Headers.Name(String(line[..<end])), "")
        } else {
            try add(String(line[..<end]), String(value))
        }
    }

    /// Adds a field, or omits it if its value is empty.
    package mutating func add(_ name: String, _ value: String) throws {
        guard value.isEmpty else { return headers.append(Headers.Name(name), value) }
        guard !Self.framing.contains(name.lowercased()) else {
            throw UsageFault("\(name) cannot be omitted: the command writes it itself; '\(name);' sends it empty")
        }
        omitted.insert(name.lowercased())
    }

    /// Adds a field without a value.
    package mutating func addEmpty(_ name: String) {
        headers.append(Headers.Name(name), "")
    }
}
