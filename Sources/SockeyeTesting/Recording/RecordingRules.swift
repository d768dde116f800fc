import SockeyeCore
public import SockeyeHTTP

/// The rules that remove secrets from recorded exchanges before these reach the disk.
///
/// ```swift
/// var rules = RecordingRules()
/// rules.removeFields("X-Customer")
/// rules.removeQueryItems("tenant")
/// rules.removeMembers("iban", "birthday")
/// rules.replace("customer-4711", with: "customer-1")
/// ```
///
/// The following values are removed by default:
/// - Credentials in Authorization and Proxy-Authorization, and cookie values. Cookie names, the attributes of
///   Set-Cookie, and common scheme names such as Bearer stay.
/// - User information in URLs. These include the URLs in fields such as Location, Link and Refresh, and JSON strings
///   that begin with `http://` or `https://`.
/// - Values with names that the library treats as secret: tokens, signatures, credentials, API keys, passwords and
///   sessions. These may be fields, query and fragment items, form items (also multipart ones), JSON members, and XML
///   attributes and elements.
///
/// Names are compared case-insensitively. The comparison with the library's names also ignores `-`, `_`, `.` and
/// blanks. ``mark`` replaces the removed values.
///
/// If the library treats the name of a JSON member as secret, only a string or the strings in an array are removed;
/// counts and flags stay. If you added the name, any value except null is removed. These rules also apply to JSON text
/// sequences (RFC 7464), JSON lines, the data of event streams, and malformed or incomplete JSON. The text of an XML
/// element is removed only if the element has no child elements.
///
/// A secret without a name stays, for example in the path `/hooks/T0123/s3cret` or in plain text. Remove it with
/// ``replace(_:with:)`` or ``rewrite(_:)``. Even then, secrets in a body that is not UTF-8 may stay, so read a
/// recording before you publish it.
///
/// ```swift
/// rules.rewrite {
///     $0.replacing(/\/hooks\/[\w\/]+/, with: "/hooks/\(RecordingRules.mark)")
/// }
/// ```
///
/// Only the owner of the recording can read it (mode 0600).
///
/// During replay, the same rules are applied to each request before it is compared with the recorded ones.
public struct RecordingRules: Sendable {
    /// The text that replaces removed values: `(removed)`.
    public static let mark = "(removed)"

    /// Additional fields; their values are removed from requests and responses.
    public private(set) var fields: Set<Headers.Name> = []
    /// Additional names, in lower case, of query and fragment items; the values of these items are removed from all
    /// URLs. Names in URLs are percent-decoded before they are compared.
    public private(set) var queryItems: Set<String> = []
    /// Additional names, in lower case, of values that are removed from bodies: JSON members at any depth, form items,
    /// and XML attributes and elements.
    public private(set) var members: Set<String> = []
    private var keptFields: Set<Headers.Name> = []
    private var keptNames: Set<String> = []
    private(set) var replacements: [(text: String, substitute: String)] = []
    private(set) var rewrites: [@Sendable (String) -> String] = []

    /// Makes the default rules.
    public init() {}

    /// Removes the values of additional fields.
    public mutating func removeFields(_ names: Headers.Name...) {
        fields.formUnion(names)
        keptFields.subtract(names)
    }

    /// Keeps the values of fields, including fields that are removed by default.
    public mutating func keepFields(_ names: Headers.Name...) {
        fields.subtract(names)
        keptFields.formUnion(names)
    }

    /// Removes the values of additional query items.
    public mutating func removeQueryItems(_ names: String...) { queryItems.formUnion(names.map { $0.lowercased() }) }

    /// Removes the values of additional JSON members, form items, and XML attributes and elements.
    public mutating func removeMembers(_ names: String...) { members.formUnion(names.map { $0.lowercased() }) }

    /// Keeps values that are removed by default because of their names, such as `key` or `pageToken`. Applies to query
    /// and fragment items, form items, JSON members, and XML attributes and elements.
    public mutating func keepValues(of names: String...) { keptNames.formUnion(names.map { $0.lowercased() }) }

    /// Replaces a text everywhere in URLs, field values, bodies in UTF-8 and error messages.
    public mutating func replace(_ text: String, with substitute: String = RecordingRules.mark) {
        guard !text.isEmpty else { return }
        replacements.append((text, substitute))
    }

    /// Rewrites every URL, field value, body in UTF-8 and error message, after all other rules.
    ///
    /// - Parameter rewrite: A function that must return the same result for the same text, because replaying applies it
    ///   too.
    public mutating func rewrite(_ rewrite: @escaping @Sendable (String) -> String) {
        rewrites.append(rewrite)
    }
}

extension RecordingRules {
    func removes(_ field: Headers.Name) -> Bool {
        fields.contains(field) || field.isSecret && !keptFields.contains(field)
    }

    func keeps(_ field: Headers.Name) -> Bool { keptFields.contains(field) }

    func removesQueryItem(_ name: String) -> Bool {
        queryItems.contains(name.lowercased()) || SecretNames.isSecretItem(name) && !isKept(name)
    }

    func removesFormItem(_ name: String) -> Bool {
        removesMember(name) || SecretNames.isSecretItem(name) && !isKept(name)
    }

    /// Returns true if the user asked to remove the member, whatever its value.
    func removesMember(_ name: String) -> Bool { members.contains(name.lowercased()) }

    /// Returns true if the member's name marks a string value as secret.
    func isSecretMember(_ name: String) -> Bool { SecretNames.isSecret(name) && !isKept(name) }

    private func isKept(_ name: String) -> Bool { keptNames.contains(name.lowercased()) }
}
