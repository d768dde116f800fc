public import SockeyeHTTP

/// What is removed from recorded exchanges before they reach the disk.
///
/// ```swift
/// var rules = RecordingRules()
/// rules.removeFields("X-Session")
/// rules.removeQueryItems("sig")
/// rules.removeMembers("iban", "birthday")
/// rules.replace("customer-4711", with: "customer-1")
/// ```
///
/// These go without saying: the values of Authorization, Proxy-Authorization, Cookie, Set-Cookie and of the usual fields for
/// keys, of which schemes, names of cookies and their attributes stay; user information in URLs; the usual query items and
/// JSON and form members for secrets (``queryItems``, ``members``). In their place stands ``mark``.
///
/// What is asked for while replaying goes by the same rules before it is compared, so nothing that was removed can make a
/// difference.
public struct RecordingRules: Sendable {
    /// What stands in the place of what was removed: `(removed)`.
    public static let mark = "(removed)"

    /// Fields whose values are removed, in both directions.
    public private(set) var fields: Set<FieldName> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie, "X-Api-Key", "Api-Key", "X-Auth-Token",
        "X-Amz-Security-Token", "X-Csrf-Token",
    ]
    /// Query items whose values are removed, wherever a URL stands. Their names are compared decoded.
    public private(set) var queryItems: Set<String> = [
        "access_token", "api_key", "apikey", "client_secret", "password", "signature", "token", "X-Amz-Credential",
        "X-Amz-Security-Token", "X-Amz-Signature",
    ]
    /// Members of JSON objects, at any depth, and items of forms whose values are removed from bodies.
    public private(set) var members: Set<String> = [
        "access_token", "api_key", "client_secret", "id_token", "password", "refresh_token",
    ]
    private(set) var replacements: [(text: String, substitute: String)] = []
    private(set) var rewrites: [@Sendable (String) -> String] = []

    /// Makes the rules that go without saying.
    public init() {}

    /// Removes the values of further fields.
    public mutating func removeFields(_ names: FieldName...) { fields.formUnion(names) }

    /// Keeps the values of fields, among them such as are removed by default.
    public mutating func keepFields(_ names: FieldName...) { fields.subtract(names) }

    /// Removes the values of further query items.
    public mutating func removeQueryItems(_ names: String...) { queryItems.formUnion(names) }

    /// Removes the values of further members of JSON objects and of forms.
    public mutating func removeMembers(_ names: String...) { members.formUnion(names) }

    /// Replaces a text wherever it stands: in URLs, in values of fields, in bodies that are text.
    public mutating func replace(_ text: String, with substitute: String = RecordingRules.mark) {
        guard !text.isEmpty else { return }
        replacements.append((text, substitute))
    }

    /// Rewrites every URL, value of a field and body that is text, after all other rules.
    ///
    /// - Parameter rewrite: Has to give the same for the same text, since it is applied while replaying as well.
    public mutating func rewrite(_ rewrite: @escaping @Sendable (String) -> String) {
        rewrites.append(rewrite)
    }
}
