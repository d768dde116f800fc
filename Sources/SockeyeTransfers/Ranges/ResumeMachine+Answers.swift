extension ResumeMachine {
    /// The decision on a response.
    package enum Decision: Sendable, Hashable {
        /// Append the body to the bytes received so far.
        case append
        /// The body is the whole representation: discard the bytes received so far.
        case startOver
        /// All bytes have already been written.
        case complete
        /// The response is not the requested rest, and may not be the whole. Request the whole without a range.
        case requestWhole
        /// The response is a temporary refusal. Ask again later.
        case retryLater
        /// The response cannot be used. A download in one piece then fails. A download in parts fetches the missing
        /// bytes in one piece.
        case refuse(ResumeFault)
    }

    /// Decides on the head of the response to the ``nextRequest``.
    package mutating func receive(_ answer: PartialResponse) -> Decision {
        end = nil
        guard case .rest(let from, let validator) = nextRequest else { return receiveWhole(answer) }
        switch answer.status {
        case 206: return receivePart(answer, from: from, of: validator)
        case 200 where answer.namesPart: return receiveMislabeledPart(answer, from: from, of: validator)
        case 200, 203: return receiveInsteadOfRest(answer, of: validator)
        case 416: return receiveUnsatisfied(answer, of: validator)
        // Failures that may be temporary (RFC 9110 15; 425: RFC 8470 5.2; 429: RFC 6585 4): the bytes so far are kept.
        case 408, 425, 429, 500, 502, 503, 504: return .retryLater
        // Other 2xx statuses do not carry the representation (RFC 9110 15.3).
        default: return .refuse(.status)
        }
    }

    /// Decides on the response to a request without a range.
    private mutating func receiveWhole(_ answer: PartialResponse) -> Decision {
        guard (200...299).contains(answer.status) else { return .refuse(.status) }
        guard rules.mayUseRanges else {
            // The method is not GET, or the caller set Range. The body, which may be only a part, is accepted as it is.
            // The download cannot be resumed.
            written = 0
            entity = Entity(validator: nil, total: answer.length)
            return .startOver
        }
        guard answer.status != 206, !answer.namesPart else { return .refuse(.unaskedPart) }
        guard let known = entity ?? distrustedEntity else { return startOver(answer, total: answer.length) }
        guard answer.status == 200 || answer.status == 203 else { return .refuse(.status) }
        guard let total = known.total, let validator = known.validator, answer.version(comparedTo: validator) == .same
        else { return startOver(answer, total: answer.length) }
        // Equal strong validators mean equal bytes and therefore equal lengths (RFC 9110 8.8.1). Decoded content
        // announces no length; its actual length is compared with the known total at the end of the body.
        guard answer.length ?? total == total else { return .refuse(.contradiction) }
        return startOver(answer, total: total)
    }

    private mutating func startOver(_ answer: PartialResponse, total: Int?) -> Decision {
        written = 0
        entity = Entity(validator: answer.validator, total: total)
        isTotalAssumed = answer.length == nil && total != nil
        return .startOver
    }

    /// Decides on a 200 or 203 that answers a request for the rest. By RFC 9110 13.1.5 its body is the whole
    /// representation, but some servers send the rest with 200. The body counts as the whole only if its length fits.
    /// For the known version, or if the response names no version, the length must be the known total. For another
    /// version, any length except that of the missing rest fits. A Content-Range, if present, must be valid and must
    /// not name a part.
    private mutating func receiveInsteadOfRest(_ answer: PartialResponse, of validator: StrongValidator) -> Decision {
        guard let length = answer.length, let total = entity?.total, !answer.isCoded, !answer.hasSeveralParts,
            answer.contentRange.isEmpty || ContentRange(answer.contentRange) != nil, !answer.namesPart,
            answer.version(comparedTo: validator) == .other ? length != total - written : length == total
        else {
            discardAndStopRanges()
            return .requestWhole
        }
        return receiveWhole(answer)
    }

    /// Decides on a 200 with the Content-Range of a part. The field has no meaning in a 200 (RFC 9110 14.4), so it is
    /// trusted only together with a length and a matching validator.
    private mutating func receiveMislabeledPart(
        _ answer: PartialResponse, from: Int, of validator: StrongValidator
    ) -> Decision {
        guard answer.length != nil, answer.version(comparedTo: validator) == .same else {
            discardAndStopRanges()
            return .requestWhole
        }
        return receivePart(answer, from: from, of: validator)
    }

    private mutating func receivePart(_ answer: PartialResponse, from: Int, of validator: StrongValidator) -> Decision {
        guard case .part(let first, let last, let total) = ContentRange(answer.contentRange), first == from,
            total == entity?.total || entity?.total == nil, !answer.hasSeveralParts, !answer.isCoded,
            answer.length == nil || answer.length == last - first + 1, last < partEnd ?? .max, isOf(validator, answer)
        else {
            discardAndStopRanges()
            return .requestWhole
        }
        entity?.total = total
        // A 206 may carry less than requested (RFC 9110 15.3.7); the rest is requested afterwards.
        end = last + 1
        return .append
    }

    private mutating func receiveUnsatisfied(_ answer: PartialResponse, of validator: StrongValidator) -> Decision {
        guard case .unsatisfied(let total) = ContentRange(answer.contentRange), total == written,
            entity?.total == nil || entity?.total == total, answer.eTags.isEmpty || isOf(validator, answer)
        else {
            discardAndStopRanges()
            return .requestWhole
        }
        entity?.total = total
        return .complete
    }

    /// Returns true if the response belongs to the version that the validator identifies. If the validator is an entity
    /// tag, the response must contain the same tag (RFC 9110 15.3.7). If it is a Last-Modified date, the response may
    /// omit that field.
    private func isOf(_ validator: StrongValidator, _ answer: PartialResponse) -> Bool {
        switch validator {
        case .entityTag(let tag):
            guard answer.eTags.count == 1, let other = EntityTag(answer.eTags[0]) else { return false }
            return tag.stronglyMatches(other)
        case .lastModified(let text):
            return answer.lastModified.allSatisfy { FieldBytes.areEqual($0, text) }
        }
    }
}

/// The fields of a response that identify the bytes in its body and the version of the representation.
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
    /// The number of bytes that follow; nil if the head does not tell.
    package var length: Int?
    /// True if the content has a coding, or was decoded by the client. Ranges cannot continue such content: they are
    /// requested without a coding, and the positions of decoded bytes differ from those on the server.
    package var isCoded = false
    /// True if the body has several parts (RFC 9110 14.6).
    package var hasSeveralParts = false
    /// The range support that Accept-Ranges declares.
    package var rangeSupport = RangeSupport.unknown

    package init(status: Int) {
        self.status = status
    }

    /// The relation between the version of a response and a known version.
    enum VersionRelation {
        case same, other
        /// The response names no version that can be compared.
        case unnamed
    }

    func version(comparedTo validator: StrongValidator) -> VersionRelation {
        switch validator {
        case .entityTag(let tag):
            guard eTags.count == 1, let other = EntityTag(eTags[0]) else { return .unnamed }
            if tag.stronglyMatches(other) { return .same }
            // A weak tag with the same text may mean the same bytes (RFC 9110 8.8.3.2).
            return tag.opaque.utf8.elementsEqual(other.opaque.utf8) ? .unnamed : .other
        case .lastModified(let text):
            guard let first = lastModified.first, lastModified.allSatisfy({ FieldBytes.areEqual($0, first) }) else {
                return .unnamed
            }
            return FieldBytes.areEqual(first, text) ? .same : .other
        }
    }

    /// True if Content-Range says that less than the whole follows, and Content-Length does not contradict.
    var namesPart: Bool {
        guard case .part(let first, let last, let total) = ContentRange(contentRange) else { return false }
        guard let total else { return first > 0 }
        return length != total && (first > 0 || last < total - 1)
    }

    /// The strong validator. Nil if the response has none, if its content is coded, or if the server supports no byte
    /// ranges.
    var validator: StrongValidator? {
        isCoded || rangeSupport == .none
            ? nil : StrongValidator(eTags: eTags, lastModified: lastModified, date: date)
    }
}

/// The reason why a response cannot be used.
package enum ResumeFault: Error, Sendable, Hashable {
    /// The status means that the response does not carry the representation.
    case status
    /// The response is a part, but no part was requested.
    case unaskedPart
    /// The response names the known version with another length.
    case contradiction
}
