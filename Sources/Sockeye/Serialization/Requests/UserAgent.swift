import SockeyePlatform

/// A User-Agent of product, version and system, as AFNetworking writes it: `Mirror/1.2 (Linux 6.1.0)` (RFC 9110
/// 10.1.5).
struct UserAgent {
    let fieldValue: String

    /// Creates a User-Agent. If `product` is nil, the name of the executable is used. If the product or that name has
    /// no allowed character, `sockeye` is used.
    init(product: String?, version: String?) {
        let executable = CommandLine.arguments.first.map { String(FilePath.name(of: $0)) }
        let name = Self.token(product ?? executable ?? "")
        let number = Self.token(version ?? "")
        var value = name.isEmpty ? "sockeye" : name
        if !number.isEmpty { value += "/\(number)" }
        fieldValue = value + " (\(SystemProcess.system))"
    }

    /// Returns the text in ASCII, reduced to letters, digits and `-._+`, all of which are allowed in a product and a
    /// version.
    private static func token(_ text: String) -> String {
        String(Transliteration.ascii(text).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-._+".contains($0)) })
    }
}
