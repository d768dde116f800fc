/// The state machine of a resumable download: decides what to request next, and what to do with each response.
///
/// The bytes so far are kept only as long as the next ones certainly belong to them (RFC 9110 14, 13.1.5 and 15.3.7): the
/// version has a strong validator, which is sent in If-Range, and the answer is a 206 for the same version, with the same
/// total length, that starts behind the last byte. A 200 is looked at in the same way, since some servers send the rest
/// with it. Every other answer leads to a request for the whole, without a range, or ends the download.
package struct ResumeMachine: Sendable {
    /// The representation of which a part has been written: its version and its length.
    package struct Entity: Sendable, Hashable {
        /// Nil where it cannot be resumed.
        package var validator: StrongValidator?
        /// The length of the whole, where known.
        package var total: Int?

        package init(validator: StrongValidator?, total: Int?) {
            self.validator = validator
            self.total = total
        }
    }

    /// The rules for further requests.
    package struct Rules: Sendable {
        /// Whether it may be sent again at all.
        package var mayRepeat: Bool
        /// Whether parts may be asked for: GET, and no Range of the caller's own.
        package var mayUseRanges: Bool
        /// How often in a row the transfer may break off. Coming 64 KiB further than ever before makes a new row.
        package var maximumResumes: Int

        package init(mayRepeat: Bool = true, mayUseRanges: Bool = true, maximumResumes: Int = 5) {
            self.mayRepeat = mayRepeat
            self.mayUseRanges = mayUseRanges
            self.maximumResumes = maximumResumes
        }
    }

    /// The content of the next request.
    package enum Wanted: Sendable, Hashable {
        case whole
        /// The rest from a position on, if it still is of this version.
        case rest(from: Int, of: StrongValidator)
        /// Nothing: all is there.
        case nothing
    }

    /// The bytes beyond the furthest point so far that count as progress.
    private static let progress = 64 << 10

    package let rules: Rules
    /// How many bytes are there.
    package internal(set) var written: Int
    /// The version that they are of; nil before the first answer.
    package internal(set) var entity: Entity?
    /// The end of the part that an answer announced; nothing behind it belongs there.
    var end: Int?
    /// Whether the server sent parts that do not fit: it is not asked for any again.
    package internal(set) var distrusts = false
    /// Whether the total is that of an earlier answer for the same version, since this one announced no length.
    var isTotalAssumed = false
    /// The version that was known when the server began to be distrusted.
    private(set) var distrusted: Entity?
    /// How often in a row the transfer broke off.
    package private(set) var resumes = 0
    private var furthest: Int
    /// Where the part ends that this is about; nil: with the whole.
    let bound: Int?

    /// - Parameters:
    ///   - written: How much is there already, of `entity`.
    package init(_ rules: Rules, entity: Entity? = nil, written: Int = 0) {
        self.rules = rules
        self.entity = entity
        self.written = written
        furthest = written
        bound = nil
    }

    /// Of one part of a representation, which is fetched by itself.
    package init(_ rules: Rules, part: Range<Int>, of entity: Entity) {
        self.rules = rules
        self.entity = entity
        written = part.lowerBound
        furthest = written
        bound = part.upperBound
    }

    /// What to ask for next.
    package var wanted: Wanted {
        if let end = bound ?? entity?.total, written == end { return .nothing }
        guard isResumable, let validator = entity?.validator else { return .whole }
        return .rest(from: written, of: validator)
    }

    /// Whether what is there is of use to another request.
    package var isResumable: Bool {
        (written > 0 || bound != nil) && rules.mayUseRanges && !distrusts && entity?.validator != nil
    }

    // MARK: The body

    /// Counts bytes of the body before they are written; false when they are more than the head announced, and so not
    /// what it announced.
    package mutating func take(_ count: Int) -> Bool {
        let limit = end ?? entity?.total ?? .max
        guard count <= limit - written else {
            distrust()
            return false
        }
        written += count
        if written - furthest >= Self.progress {
            furthest = written
            resumes = 0
        }
        return true
    }

    /// The body has ended in good order; whether that was the last of it.
    package mutating func finishBody() -> Bool {
        let wasPart = end != nil
        end = nil
        guard let total = entity?.total else {
            // A part of something without a known end is followed by the question for the next one, which is answered
            // by 416 when there is none.
            guard !wasPart else { return false }
            entity?.total = written
            return true
        }
        if !wasPart, isTotalAssumed, written != total { distrust() }
        return written == total
    }

    /// Goes on behind another position: what is behind it was dropped, or has come by another way.
    package mutating func move(to position: Int) {
        written = position
        furthest = max(furthest, position)
        end = nil
    }

    // MARK: Failures

    /// Gives up the bytes so far: the server contradicted itself.
    mutating func distrust() {
        distrusts = true
        if distrusted == nil || entity?.validator != nil { distrusted = entity }
        entity = nil
    }

    /// The transfer has broken off, or the answer was less than it could have been; whether to ask again.
    package mutating func breakOff() -> Bool {
        end = nil
        guard rules.mayRepeat, resumes < rules.maximumResumes else { return false }
        resumes += 1
        return true
    }
}
