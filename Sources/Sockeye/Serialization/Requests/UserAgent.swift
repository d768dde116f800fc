import Glibc

/// Product, version and system, as AFNetworking composes them: `Mirror/1.2 (Linux 6.1.0)` (RFC 9110 10.1.5).
struct UserAgent {
    let fieldValue: String

    init(product: String?, version: String?) {
        let executable = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
        let name = Self.token(product ?? executable ?? "")
        let number = Self.token(version ?? "")
        var value = name.isEmpty ? "sockeye" : name
        if !number.isEmpty { value += "/\(number)" }
        fieldValue = value + " (\(Self.system))"
    }

    /// What of the text may stand in a product or a version.
    private static func token(_ text: String) -> String {
        String(text.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-._+".contains($0)) })
    }

    private static let system: String = {
        var name = utsname()
        guard unsafe uname(&name) == 0 else { return "Linux" }
        return text(name.sysname) + " " + text(name.release)
    }()

    /// One of the arrays of characters in `utsname`, ended by NUL.
    private static func text<Field>(_ field: Field) -> String {
        unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
