/// Internationalized domain names: UTS 46 processing to A-labels, non-transitional, as the WHATWG URL standard, 3.3
/// asks.
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

/// The validity criteria of UTS 46, section 4.1, as far as the WHATWG URL standard asks for them: CheckHyphens and
/// UseSTD3ASCIIRules off, CheckJoiners and CheckBidi on.
enum LabelRules {
    /// Whether `label` may stand in a domain name, leaving its direction aside.
    static func isValid(_ label: [UInt32]) -> Bool {
        guard let first = label.first else { return true }
        return !CodePointProperties(first).isMark
            && !label.starts(with: "xn--".utf8.lazy.map(UInt32.init))
            && label.allSatisfy { $0 != 0x2E && CodePointMapping.shared.action(for: $0) == .valid }
            && CanonicalForm.shared.normalize(label) == label
            && label.indices.allSatisfy { isJoinerAllowed(in: label, at: $0) }
    }

    /// RFC 5892, A.1 and A.2: a joiner changes how its neighbours look, or else it is invisible and means mischief.
    private static func isJoinerAllowed(in label: [UInt32], at index: Int) -> Bool {
        guard label[index] == 0x200C || label[index] == 0x200D else { return true }
        if index > 0, CodePointProperties(label[index - 1]).isVirama { return true }
        guard label[index] == 0x200C else { return false }
        let before = label[..<index].lazy.reversed().map { CodePointProperties($0).joining }
        let after = label[(index + 1)...].lazy.map { CodePointProperties($0).joining }
        guard let left = before.first(where: { $0 != .transparent }),
            let right = after.first(where: { $0 != .transparent })
        else { return false }
        return (left == .left || left == .dual) && (right == .right || right == .dual)
    }

    /// Whether a label makes its domain a "Bidi domain name" (RFC 5893, 1.4).
    static func isRightToLeft(_ label: [UInt32]) -> Bool {
        label.contains { point in
            switch CodePointProperties(point).bidi {
            case .right, .arabicLetter, .arabicNumber: true
            default: false
            }
        }
    }

    /// The six conditions of RFC 5893, section 2, which keep a label from being displayed as part of another.
    static func satisfiesBidiRule(_ label: [UInt32]) -> Bool {
        let classes = label.map { CodePointProperties($0).bidi }
        guard let first = classes.first, let last = classes.last(where: { $0 != .nonspacing }) else { return true }
        switch first {
        case .right, .arabicLetter:
            return !classes.contains { $0 == .left || $0 == .other }
                && [.right, .arabicLetter, .europeanNumber, .arabicNumber].contains(last)
                && !(classes.contains(.europeanNumber) && classes.contains(.arabicNumber))
        case .left:
            return classes.allSatisfy { [.left, .europeanNumber, .nonspacing, .neutral].contains($0) }
                && (last == .left || last == .europeanNumber)
        default:
            return false
        }
    }
}
