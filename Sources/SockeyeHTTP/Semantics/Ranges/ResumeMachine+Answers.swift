extension ResumeMachine {
    /// The decision on a response.
    package enum Decision: Sendable, Hashable {
        /// Its body follows what is there.
        case append
        /// Its body is all of it; what is there goes.
        case startOver
        /// There is nothing more to come: all is there.
        case complete
        /// It is of no use. The whole has to be asked for, without ranges.
        case askForWhole
        /// It is a refusal that may pass.
        case askLater
        case refuse(ResumeFault)
    }

    /// Decides on the head that answered the request for what is ``wanted``.
    package mutating func receive(_ answer: PartialResponse) -> Decision {
        end = nil
        guard case .rest(let from, let validator) = wanted else { return receiveWhole(answer) }
        switch answer.status {
        case 206: return receivePart(answer, from: from, of: validator)
        case 200 where answer.namesPart: return receiveMislabeledPart(answer, from: from, of: validator)
        case 200, 203: return receiveInsteadOfRest(answer, of: validator)
        case 416: return receiveUnsatisfied(answer, of: validator)
        // The statuses that RFC 9110 15 and RFC 8470 call temporary: the bytes so far are kept.
        case 408, 425, 429, 500, 502, 503, 504: return .askLater
        // The other 2xx do not carry the representation (RFC 9110 15.3).
        default: return .refuse(.status)
        }
    }

    /// Decides on the answer to a request without a range.
    private mutating func receiveWhole(_ answer: PartialResponse) -> Decision {
        guard (200...299).contains(answer.status) else { return .refuse(.status) }
        guard rules.mayUseRanges else {
            // Nobody can tell which part it is if the caller asked by a Range field.
            written = 0
            entity = Entity(validator: nil, total: answer.length)
            return .startOver
        }
        guard answer.status != 206, !answer.namesPart else { return .refuse(.unaskedPart) }
        guard let known = entity ?? distrusted else { return startOver(answer, total: answer.length) }
        guard answer.status == 200 || answer.status == 203 else { return .refuse(.status) }
        guard let total = known.total, let validator = known.validator, answer.version(comparedTo: validator) == .same
        else { return startOver(answer, total: answer.length) }
        // A strong validator stands for the same bytes, and so for one length (RFC 9110 8.8.1). Content that is decoded
        // announces none, and must come to it.
        guard answer.length ?? total == total else { return .refuse(.contradiction) }
        return startOver(answer, total: total)
    }

    private mutating func startOver(_ answer: PartialResponse, total: Int?) -> Decision {
        written = 0
        entity = Entity(validator: answer.validator, total: total)
        isTotalAssumed = answer.length == nil && total != nil
        return .startOver
    }

    /// Decides on a 200 without Content-Range. RFC 9110 13.1.5 makes it the whole, but some servers send the rest that way,
    /// so it counts as the whole only if its length says so and no Content-Range contradicts.
    private mutating func receiveInsteadOfRest(_ answer: PartialResponse, of validator: StrongValidator) -> Decision {
        guard let length = answer.length, let total = entity?.total, !answer.isCoded, !answer.hasSeveralParts,
            answer.contentRange.isEmpty || ContentRange(answer.contentRange) != nil,
            answer.version(comparedTo: validator) == .other ? length != total - written : length == total
        else {
            distrust()
            return .askForWhole
        }
        return receiveWhole(answer)
    }

    /// Decides on a 200 with the Content-Range of a part. That field means nothing there (RFC 9110 14.4), so everything that
    /// a 206 may leave out must be there and right.
    private mutating func receiveMislabeledPart(
        _ answer: PartialResponse, from: Int, of validator: StrongValidator
    ) -> Decision {
        guard answer.length != nil, answer.version(comparedTo: validator) == .same else {
            distrust()
            return .askForWhole
        }
        return receivePart(answer, from: from, of: validator)
    }

    private mutating func receivePart(_ answer: PartialResponse, from: Int, of validator: StrongValidator) -> Decision {
        guard case .part(let first, let last, let total) = ContentRange(answer.contentRange), first == from,
            total == entity?.total || entity?.total == nil, !answer.hasSeveralParts, !answer.isCoded,
            answer.length == nil || answer.length == last - first + 1, last < bound ?? .max, isOf(validator, answer)
        else {
            distrust()
            return .askForWhole
        }
        entity?.total = total
        // Less than was asked for is allowed (RFC 9110 15.3.7); the rest of it is asked for afterwards.
        end = last + 1
        return .append
    }

    private mutating func receiveUnsatisfied(_ answer: PartialResponse, of validator: StrongValidator) -> Decision {
        guard case .unsatisfied(let total) = ContentRange(answer.contentRange), total == written,
            entity?.total == nil || entity?.total == total, answer.eTags.isEmpty || isOf(validator, answer)
        else {
            distrust()
            return .askForWhole
        }
        entity?.total = total
        return .complete
    }

    /// Whether the answer says that it is of this version. An entity tag has to be there, as in the first answer
    /// (RFC 9110 15.3.7); Last-Modified need not be repeated.
    private func isOf(_ validator: StrongValidator, _ answer: PartialResponse) -> Bool {
        switch validator {
        case .entityTag(let tag):
            guard answer.eTags.count == 1, let other = EntityTag(answer.eTags[0]) else { return false }
            return tag.stronglyMatches(other)
        case .lastModified(let text):
            return answer.lastModified.allSatisfy { $0 == text }
        }
    }
}

/// The fields of a response that say which bytes of which version follow.
package struct PartialResponse: Sendable {
    package var status: Int
    /// The values of Content-Range.
    package var contentRange: [String] = []
    /// The values of ETag.
    package var eTags: [String] = []
    /// The values of Last-Modified.
    package var lastModified: [String] = []
    /// The value of Date.
    package var date: String?
    /// How many bytes follow, where the head tells.
    package var length: Int?
    /// Whether the content is coded, or was and has been decoded: positions in it are then not those in what is kept.
    package var isCoded = false
    /// Whether several parts follow in one body (RFC 9110 14.6).
    package var hasSeveralParts = false
    /// What Accept-Ranges says.
    package var support = RangeSupport.unknown

    package init(status: Int) {
        self.status = status
    }

    /// How the version that an answer names relates to a known one.
    enum VersionRelation {
        case same, other
        /// The answer names no version, or not in a way that can be compared.
        case unnamed
    }

    func version(comparedTo validator: StrongValidator) -> VersionRelation {
        switch validator {
        case .entityTag(let tag):
            guard eTags.count == 1, let other = EntityTag(eTags[0]) else { return .unnamed }
            if tag.stronglyMatches(other) { return .same }
            // A weak tag with the same text may stand for the same bytes (RFC 9110 8.8.3.2).
            return tag.opaque.utf8.elementsEqual(other.opaque.utf8) ? .unnamed : .other
        case .lastModified(let text):
            guard let first = lastModified.first, lastModified.allSatisfy({ $0 == first }) else { return .unnamed }
            return first == text ? .same : .other
        }
    }

    /// Whether Content-Range says that less than the whole follows, and Content-Length does not say otherwise.
    var namesPart: Bool {
        guard case .part(let first, let last, let total) = ContentRange(contentRange) else { return false }
        guard let total else { return first > 0 }
        return length != total && (first > 0 || last < total - 1)
    }

    var validator: StrongValidator? {
        isCoded || support == .none
            ? nil : StrongValidator(eTags: eTags, lastModified: lastModified, date: date)
    }
}

/// Why an answer cannot be used.
package enum ResumeFault: Error, Sendable, Hashable {
    /// The status says that there is no content to be had.
    case status
    /// A part came although none was asked for.
    case unaskedPart
    /// The answer names the known version and gives it another length.
    case contradiction
}
