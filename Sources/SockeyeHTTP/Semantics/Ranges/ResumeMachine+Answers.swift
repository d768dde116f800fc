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
        case 200...299: return receiveWhole(answer)
        case 416: return receiveUnsatisfied(answer, of: validator)
        // What RFC 9110 15 and RFC 8470 call passing; it would be a pity to lose what is there for it.
        case 408, 425, 429, 500, 502, 503, 504: return .askLater
        default: return .refuse(.status)
        }
    }

    private mutating func receiveWhole(_ answer: PartialResponse) -> Decision {
        guard (200...299).contains(answer.status) else { return .refuse(.status) }
        guard answer.status != 206 || !rules.mayUseRanges else { return .refuse(.unaskedPart) }
        written = 0
        // The place of a part that the caller asked for by a Range of his own is not known.
        entity = Entity(validator: rules.mayUseRanges ? answer.validator : nil, total: answer.length)
        return .startOver
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
}
