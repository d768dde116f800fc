import CSockeyeData

/// The mapping table of UTS 46 (section 5), for non-transitional processing.
///
/// UTS 46 maps some code points to exactly their Normalization Form C (NFC). This table lists them as valid. The result
/// is the same, because ``IDNA`` replaces them when it converts the mapped text to NFC. They stay forbidden in an
/// A-label, because the decoded text of an A-label must be in NFC.
enum CodePointMapping {
    /// The kinds of mapping that a run of code points can have; `sockeye_mapping` explains them. The raw values are
    /// those of the table.
    private enum Kind: UInt8 {
        case valid, disallowed, ignored, shifted, alternating, replaced
    }

    private static var replacements: ConstantTable<UInt32> { unsafe ConstantTable(sockeye_replacements) }

    /// Returns the run that contains `point`, and the kind of mapping of the run.
    private static func run(of point: UInt32) -> (Kind, sockeye_mapping) {
        let runs = unsafe ConstantTable<sockeye_mapping>(sockeye_mappings)
        guard let run = runs.last(upTo: point, by: \.start), let kind = Kind(rawValue: run.kind) else {
            preconditionFailure("the IDNA mapping table is malformed")
        }
        return (kind, run)
    }

    /// Appends the code points that `point` maps to. Returns false if it is disallowed.
    static func map(_ point: UInt32, to output: inout [UInt32]) -> Bool {
        let (kind, run) = run(of: point)
        switch kind {
        case .valid: output.append(point)
        case .disallowed: return false
        case .ignored: break
        case .shifted: output.append(UInt32(Int32(point) + run.operand))
        case .alternating: output.append((point - run.start) & 1 == 0 ? point + 1 : point)
        case .replaced: output += replacements[Int(run.operand)..<Int(run.operand) + Int(run.count)]
        }
        return true
    }

    static func isValid(_ point: UInt32) -> Bool {
        let (kind, run) = run(of: point)
        return kind == .valid || (kind == .alternating && (point - run.start) & 1 == 1)
    }
}

/// The Unicode properties of a code point that IDNA depends on.
struct CodePointProperties: Sendable, Hashable {
    /// The classes of the bidirectional algorithm that RFC 5893 distinguishes. The raw values are those of the table.
    enum Bidi: UInt8, Sendable {
        case other, left, right, arabicLetter, arabicNumber, europeanNumber, nonspacing
        /// ES, CS, ET, ON and BN.
        case neutral
    }

    /// The joining types that RFC 5892, A.1 distinguishes. The raw values are those of the table.
    enum Joining: UInt8, Sendable {
        case none, left, right, dual, transparent
    }

    /// The canonical combining class; 0 for a starter.
    let combiningClass: UInt8
    let bidi: Bidi
    let joining: Joining
    /// True if the general category is Mark.
    let isMark: Bool

    /// True for a virama, a sign after which a joiner (U+200C or U+200D) is allowed (RFC 5892, A.1 and A.2).
    var isVirama: Bool { combiningClass == 9 }

    init(_ point: UInt32) {
        let runs = unsafe ConstantTable<sockeye_property>(sockeye_properties)
        guard let run = runs.last(upTo: point, by: \.start), let bidi = Bidi(rawValue: run.bidi),
            let joining = Joining(rawValue: run.joining)
        else { preconditionFailure("the IDNA property table is malformed") }
        self.bidi = bidi
        self.joining = joining
        combiningClass = run.combining_class
        isMark = run.is_mark != 0
    }
}
