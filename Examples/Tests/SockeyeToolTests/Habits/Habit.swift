import Sockeye
import Testing

/// A habit of users of curl or httpie: a command line as they write it, and its outcome with `sockeye`.
///
/// The word `curl` or `http` at its start is replaced by `sockeye`. `{url}` is the test server, and `{dir}` a folder
/// with the files of ``HabitRun``.
struct Habit: Sendable, CustomTestStringConvertible {
    /// The relation to the program that the habit comes from.
    enum Outcome: Sendable {
        /// The same requests, output, files and exit status.
        case equal
        /// Another result, for a reason.
        case different(String)
        /// An error that says what to do instead.
        case refused
    }

    let line: String
    let outcome: Outcome
    /// The requests that arrive at the server.
    let arrivals: [Arrival]
    /// Standard output; nil if it is not compared.
    let output: String?
    /// A part of standard error; empty if nothing is printed there.
    let error: String
    let status: Int32
    /// The files that the command writes, by name.
    let files: [String: String]
    let input: String
    /// True for a habit that depends on the working folder, and is run as a process of its own.
    let usesFolder: Bool
    /// False for a habit in which versions of curl differ.
    let isComparable: Bool

    init(
        _ line: String, _ outcome: Outcome = .equal, _ arrivals: [Arrival] = [], output: String? = nil,
        error: String = "", status: Int32 = 0, files: [String: String] = [:], input: String = "",
        usesFolder: Bool = false, isComparable: Bool = true
    ) {
        self.line = line
        self.outcome = outcome
        self.arrivals = arrivals
        self.output = output
        self.error = error
        self.status = status
        self.files = files
        self.input = input
        self.usesFolder = usesFolder
        self.isComparable = isComparable
    }

    /// A command line that is an error before anything is sent.
    static func refused(_ line: String, _ error: String, status: Int32 = 2, input: String = "") -> Habit {
        Habit(line, .refused, error: error, status: status, input: input)
    }

    var testDescription: String { line }

    var isOfCurl: Bool { line.hasPrefix("curl") }

    /// The words of the command line without the program, as a shell separates them.
    func words(url: String, folder: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + "\(character)"
                isEscaped = false
            } else if character == quote {
                quote = nil
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + "\(character)"
            }
        }
        if let word { words.append(word) }
        let host = String(url.dropFirst("http://".count))
        let port = String(host.drop { $0 != ":" }.dropFirst())
        let values = [("{url}", url), ("{host}", host), ("{port}", port), ("{dir}", folder)]
        return words.dropFirst().map { word in
            values.reduce(word) { text, value in text.replacing(value.0, with: value.1) }
        }
    }
}

/// A request as it arrives at the server, or as it is expected there.
struct Arrival: Sendable {
    var method: String
    var target: String
    var content = ""
    /// Values by name. An expected nil means that the field is absent; fields that are not expected may have any value.
    var fields: [String: String?] = [:]

    static func get(_ target: String, _ fields: [String: String?] = [:]) -> Arrival {
        Arrival(method: "GET", target: target, fields: fields)
    }

    static func post(_ target: String, _ content: String, _ type: String? = form) -> Arrival {
        Arrival(method: "POST", target: target, content: content, fields: ["Content-Type": type])
    }

    static let form = "application/x-www-form-urlencoded"

    /// Returns the differences from an expected request.
    func differences(from expected: Arrival) -> [String] {
        var differences: [String] = []
        if method != expected.method || target != expected.target {
            differences.append("\(method) \(target) instead of \(expected.method) \(expected.target)")
        }
        if !Self.areSame(content, expected.content, type: fields["Content-Type"] ?? nil) {
            differences.append("content '\(content)' instead of '\(expected.content)'")
        }
        for (name, value) in expected.fields where fields[name] ?? nil != value {
            differences.append("\(name): \((fields[name] ?? nil) ?? "absent") instead of \(value ?? "absent")")
        }
        return differences
    }

    /// Compares JSON by its values, because programs space it differently.
    private static func areSame(_ left: String, _ right: String, type: String?) -> Bool {
        if left == right { return true }
        guard type == "application/json", let left = try? JSONValue(parsing: left) else { return false }
        return left == (try? JSONValue(parsing: right))
    }
}
