import SockeyeHTTP

/// A member of Sec-WebSocket-Extensions: a token and its parameters, each with or without a value (RFC 6455 9.1).
package struct ExtensionElement: Sendable, Hashable {
    /// A parameter of an extension.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String?

        package init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    package let name: String
    package let parameters: [Parameter]

    package init(_ name: String, _ parameters: [Parameter] = []) {
        self.name = name
        self.parameters = parameters
    }

    /// Parses the extensions in all values of Sec-WebSocket-Extensions, in order; nil if a value is malformed. The
    /// content of a quoted value must be a token.
    package static func parse(_ fieldValues: [String]) -> [ExtensionElement]? {
        var elements: [ExtensionElement] = []
        for value in fieldValues {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.quotedMember() {
                var part = scan.subscanner(member)
                guard let element = ExtensionElement(&part) else { return nil }
                elements.append(element)
            }
        }
        return elements
    }

    private init?(_ scan: inout FieldScanner) {
        guard let token = scan.token() else { return nil }
        name = scan.string(token)
        var parameters: [Parameter] = []
        scan.skipBlanks()
        while scan.skip(UInt8(ascii: ";")) {
            scan.skipBlanks()
            guard let token = scan.token() else { return nil }
            var value: String?
            scan.skipBlanks()
            if scan.skip(UInt8(ascii: "=")) {
                scan.skipBlanks()
                guard let text = scan.value(), !text.isEmpty, text.utf8.allSatisfy(ByteClass.isToken) else {
                    return nil
                }
                value = text
            }
            parameters.append(Parameter(scan.string(token), value))
            scan.skipBlanks()
        }
        guard scan.isAtEnd else { return nil }
        self.parameters = parameters
    }

    /// The element in the form in which it is sent.
    package var text: String {
        parameters.reduce(name) { text, parameter in
            text + "; " + parameter.name + (parameter.value.map { "=" + $0 } ?? "")
        }
    }
}
