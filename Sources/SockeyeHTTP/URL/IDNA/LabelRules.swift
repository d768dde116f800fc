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
