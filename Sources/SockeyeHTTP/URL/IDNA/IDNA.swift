/// Internationalized domain names: UTS 46 processing to A-labels, non-transitional, as the WHATWG URL standard, 3.3 asks.
package enum IDNA {
    /// The ASCII form of a domain name, or nil if it has none.
    ///
    /// A name in ASCII is put into lower case and not looked at any further, its A-labels included: such a name is what
    /// DNS has, whether or not it decodes to anything. Lengths, empty labels and delimiters are the caller's to check.
    package static func toASCII(_ domain: String) -> String? {
        if domain.utf8.allSatisfy({ $0 < 0x80 }) { return domain.lowercased() }
        guard let mapped = map(domain) else { return nil }
        var isBidi = false
        var labels: [[UInt32]] = []
        for label in mapped.split(separator: 0x2E, omittingEmptySubsequences: false) {
            guard let unicode = decoded(Array(label)) else { return nil }
            isBidi = isBidi || LabelRules.isRightToLeft(unicode)
            labels.append(unicode)
        }
        guard !isBidi || labels.allSatisfy(LabelRules.satisfiesBidiRule) else { return nil }
        var output: [UInt8] = []
        for (index, label) in labels.enumerated() {
            if index > 0 { output.append(0x2E) }
            if label.allSatisfy({ $0 < 0x80 }) {
                output += label.map { UInt8($0) }
            } else {
                guard let encoded = Punycode.encode(label) else { return nil }
                output += "xn--".utf8
                output += encoded
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Steps 1 and 2 of UTS 46, section 4: mapped and normalised.
    private static func map(_ domain: String) -> [UInt32]? {
        var output: [UInt32] = []
        for scalar in domain.unicodeScalars {
            switch CodePointMapping.shared.action(for: scalar.value) {
            case .valid: output.append(scalar.value)
            case .ignored: break
            case .replaced(let replacement): output += replacement
            case .disallowed: return nil
            }
        }
        return CanonicalForm.shared.normalize(output)
    }

    /// Step 4: an A-label as what it stands for; nil if the label is not valid.
    private static func decoded(_ label: [UInt32]) -> [UInt32]? {
        guard label.starts(with: "xn--".utf8.lazy.map(UInt32.init)) else {
            return LabelRules.isValid(label) ? label : nil
        }
        let encoded = label.dropFirst(4).map { UInt8(exactly: $0) ?? 0x80 }
        guard let unicode = Punycode.decode(encoded[...]), unicode.contains(where: { $0 >= 0x80 }) else { return nil }
        return LabelRules.isValid(unicode) ? unicode : nil
    }
}
