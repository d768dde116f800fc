/// Internationalized domain names: non-transitional UTS 46 processing to A-labels, as section 3.3 of the WHATWG URL
/// standard requires.
package enum IDNA {
    /// Returns the ASCII form of a domain name; nil if the name is invalid.
    ///
    /// An ASCII name is only converted to lower case. Its A-labels are not validated, because names in DNS may contain
    /// A-labels that cannot be decoded. The caller checks lengths, empty labels and delimiters.
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

    /// Maps and normalises a domain: steps 1 and 2 of UTS 46, section 4. Nil if a code point is disallowed.
    private static func map(_ domain: String) -> [UInt32]? {
        var output: [UInt32] = []
        for scalar in domain.unicodeScalars {
            guard CodePointMapping.map(scalar.value, to: &output) else { return nil }
        }
        return CanonicalForm.normalize(output)
    }

    /// Decodes an A-label and returns other labels unchanged (UTS 46, section 4, step 4); nil if the label is invalid.
    private static func decoded(_ label: [UInt32]) -> [UInt32]? {
        guard label.starts(with: "xn--".utf8.lazy.map(UInt32.init)) else {
            return LabelRules.isValid(label) ? label : nil
        }
        let encoded = label.dropFirst(4).map { UInt8(exactly: $0) ?? 0x80 }
        guard let unicode = Punycode.decode(encoded[...]), unicode.contains(where: { $0 >= 0x80 }) else { return nil }
        return LabelRules.isValid(unicode) ? unicode : nil
    }
}

/// The validity criteria of UTS 46, section 4.1, with the flags that the WHATWG URL standard requires: CheckHyphens and
/// UseSTD3ASCIIRules off, CheckJoiners and CheckBidi on.
enum LabelRules {
    /// Returns true if `label` is valid, apart from the bidi rule.
    static func isValid(_ label: [UInt32]) -> Bool {
        guard let first = label.first else { return true }
        return !CodePointProperties(first).isMark
            && !label.starts(with: "xn--".utf8.lazy.map(UInt32.init))
            && label.allSatisfy { $0 != 0x2E && CodePointMapping.isValid($0) }
            && CanonicalForm.normalize(label) == label
            && label.indices.allSatisfy { isJoinerAllowed(in: label, at: $0) }
    }

    /// Returns false for a joiner that does not change how its neighbours are displayed. Such a joiner is invisible and
    /// could only deceive (RFC 5892, A.1 and A.2).
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

    /// Returns true if the label makes its domain a "Bidi domain name" (RFC 5893, 1.4).
    static func isRightToLeft(_ label: [UInt32]) -> Bool {
        label.contains { point in
            switch CodePointProperties(point).bidi {
            case .right, .arabicLetter, .arabicNumber: true
            default: false
            }
        }
    }

    /// Returns true if the label fulfils the six conditions of RFC 5893, section 2.
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
