import SockeyeCore
public import SockeyeHTTP

/// What is removed from recorded exchanges before they reach the disk.
///
/// ```swift
/// var rules = RecordingRules()
/// rules.removeFields("X-Customer")
/// rules.removeQueryItems("tenant")
/// rules.removeMembers("iban", "birthday")
/// rules.replace("customer-4711", with: "customer-1")
/// ```
///
/// Removed by default are:
/// - the values of Authorization, Proxy-Authorization, Cookie and Set-Cookie; the scheme, the names of cookies and their
///   attributes stay,
/// - user information in URLs, also in URLs in fields such as Location, Link and Refresh and in strings of JSON,
/// - the values of fields, of query and fragment items, of items of forms, also of multipart ones, of members of JSON, and of
///   attributes and elements of XML whose names the library treats as secret everywhere: tokens, signatures, credentials, keys
///   for APIs, passwords, sessions.
///
/// Names are compared without case, and without `-`, `_` and `.`. ``mark`` replaces the values. Of JSON members only strings are
/// removed, so that counts and flags stay, and of XML elements only those without child elements. A JSON body may be a single
/// text, a sequence (RFC 7464), lines or the data of events.
///
/// No name tells that a part of a path is secret, as in `/hooks/T0123/s3cret`. Such secrets stay, and so do secrets in text
/// without a name and in content that is not UTF-8. Remove them with ``replace(_:with:)`` or ``rewrite(_:)``, and read a recording
/// before you publish it:
///
/// ```swift
/// rules.rewrite { $0.replacing(/\/hooks\/[\w\/]+/, with: "/hooks/\(RecordingRules.mark)") }
/// ```
///
/// The file can be read by its owner alone (mode 0600).
///
/// What is asked for while replaying goes by the same rules before it is compared, so nothing that was removed can make a
/// difference.
public struct RecordingRules: Sendable {
    /// What stands in the place of what was removed: `(removed)`.
    public static let mark = "(removed)"

    /// Further fields whose values are removed, in both directions.
    public private(set) var fields: Set<Headers.Name> = []
    /// Further query and fragment items whose values are removed, wherever a URL stands; in lower case. Names are compared
    /// decoded.
    public private(set) var queryItems: Set<String> = []
    /// Further members of JSON objects, at any depth, items of forms, and attributes and elements of XML whose values are
    /// removed from bodies; in lower case.
    public private(set) var members: Set<String> = []
    private var keptFields: Set<Headers.Name> = []
    private var keptNames: Set<String> = []
    private(set) var replacements: [(text: String, substitute: String)] = []
    private(set) var rewrites: [@Sendable (String) -> String] = []

    /// Makes the default rules.
    public init() {}

    /// Removes the values of further fields.
    public mutating func removeFields(_ names: Headers.Name...) {
        fields.formUnion(names)
        keptFields.subtract(names)
    }

    /// Keeps the values of fields, among them fields that are removed by default.
    public mutating func keepFields(_ names: Headers.Name...) {
        fields.subtract(names)
        keptFields.formUnion(names)
    }

    /// Removes the values of further query items.
    public mutating func removeQueryItems(_ names: String...) { queryItems.formUnion(names.map { $0.lowercased() }) }

    /// Removes the values of further members of JSON objects, items of forms, and attributes and elements of XML.
    public mutating func removeMembers(_ names: String...) { members.formUnion(names.map { $0.lowercased() }) }

    /// Keeps the values of query items, form items, JSON members and names in XML that are removed by default, such as `key` or
    /// `pageToken`.
    public mutating func keepValues(of names: String...) { keptNames.formUnion(names.map { $0.lowercased() }) }

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

extension RecordingRules {
    func removes(_ field: Headers.Name) -> Bool {
        fields.contains(field) || field.isSecret && !keptFields.contains(field)
    }

    /// Whether the user asked to keep the field as it is.
    func keeps(_ field: Headers.Name) -> Bool { keptFields.contains(field) }

    func removesQueryItem(_ name: String) -> Bool {
        queryItems.contains(name.lowercased()) || SecretNames.isSecretItem(name) && !isKept(name)
    }

    func removesFormItem(_ name: String) -> Bool {
        removesMember(name) || SecretNames.isSecretItem(name) && !isKept(name)
    }

    /// Whether the user asked to remove the member, whatever its value is.
    func removesMember(_ name: String) -> Bool { members.contains(name.lowercased()) }

    /// Whether the member is secret by its name if its value is a string.
    func isSecretMember(_ name: String) -> Bool { SecretNames.isSecret(name) && !isKept(name) }

    private func isKept(_ name: String) -> Bool { keptNames.contains(name.lowercased()) }
}
