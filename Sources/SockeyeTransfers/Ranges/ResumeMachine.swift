/// The state machine of a resumable download: decides what to request next, and what to do with each response.
///
/// The machine keeps the bytes received so far only if the next bytes certainly continue them (RFC 9110 14, 13.1.5 and
/// 15.3.7). The representation must have a strong validator, which identifies its version and is sent in If-Range. The
/// response must be a 206, or a 200 with the Content-Range of a part. It must start where the received bytes end, and
/// be for the same version with the same total length. After a temporary refusal, such as a 503, the machine requests
/// the rest again later. Any other response starts the download over or ends it.
package struct ResumeMachine: Sendable {
    /// The version and the length of a representation of which a part has been written.
    package struct Entity: Sendable, Hashable {
        /// The validator; nil if the download cannot be resumed.
        package var validator: StrongValidator?
        /// The length of the whole in bytes; nil if unknown.
        package var total: Int?

        package init(validator: StrongValidator?, total: Int?) {
            self.validator = validator
            self.total = total
        }
    }

    /// The rules for further requests.
    package struct Rules: Sendable {
        /// True if the request may be repeated.
        package var mayRepeat: Bool
        /// True if parts may be requested: the method is GET, and the caller did not set Range.
        package var mayUseRanges: Bool
        /// The maximum number of consecutive interruptions. The count restarts after every 64 KiB of progress. Bytes
        /// that are fetched again are no progress.
        package var maximumResumes: Int

        package init(mayRepeat: Bool = true, mayUseRanges: Bool = true, maximumResumes: Int = 5) {
            self.mayRepeat = mayRepeat
            self.mayUseRanges = mayUseRanges
            self.maximumResumes = maximumResumes
        }
    }

    /// The range that the next request should ask for.
    package enum NextRequest: Sendable, Hashable {
        case whole
        /// The rest from a position on, if the version is unchanged.
        case rest(from: Int, of: StrongValidator)
        /// Nothing, because the download is complete.
        case nothing
    }

    /// The number of new bytes after which the count of interruptions restarts.
    private static let progress = 64 << 10

    package let rules: Rules
    /// The position of the next byte to write. Without `partEnd`, this is also the number of bytes written.
    package internal(set) var written: Int
    /// The version and the length of the representation; nil while unknown.
    package internal(set) var entity: Entity?
    /// The end position of the part that the current response announces; nil if it announces no part.
    var end: Int?
    /// True if a response of the server contradicted an earlier one or itself. The machine then requests no more parts.
    package internal(set) var distrusts = false
    /// True if the total comes from an earlier response of the same version, because the current response announced no
    /// length.
    var isTotalAssumed = false
    /// The version whose bytes were discarded because the server contradicted itself. The next whole response is
    /// compared with this version.
    private(set) var distrustedEntity: Entity?
    /// The number of consecutive interruptions.
    package private(set) var resumes = 0
    private var furthestPosition: Int
    /// The end of the part to fetch; nil for the whole representation.
    let partEnd: Int?

    /// Creates the state of a download.
    ///
    /// - Parameters:
    ///   - written: The number of bytes of `entity` that exist already.
    package init(_ rules: Rules, entity: Entity? = nil, written: Int = 0) {
        self.rules = rules
        self.entity = entity
        self.written = written
        furthestPosition = written
        partEnd = nil
    }

    /// Creates the state of a download that fetches only one part of a representation.
    package init(_ rules: Rules, part: Range<Int>, of entity: Entity) {
        self.rules = rules
        self.entity = entity
        written = part.lowerBound
        furthestPosition = written
        partEnd = part.upperBound
    }

    /// The range to request next.
    package var nextRequest: NextRequest {
        if let end = partEnd ?? entity?.total, written == end { return .nothing }
        guard isResumable, let validator = entity?.validator else { return .whole }
        return .rest(from: written, of: validator)
    }

    /// True if another request can continue the bytes so far.
    package var isResumable: Bool {
        (written > 0 || partEnd != nil) && rules.mayUseRanges && !distrusts && entity?.validator != nil
    }

    // MARK: The body

    /// Counts bytes of the body before they are written. Returns false if the body has more bytes than the head
    /// announced.
    package mutating func take(_ count: Int) -> Bool {
        let limit = end ?? entity?.total ?? .max
        guard count <= limit - written else {
            discardAndStopRanges()
            return false
        }
        written += count
        if written - furthestPosition >= Self.progress {
            furthestPosition = written
            resumes = 0
        }
        return true
    }

    /// Reports that the body has ended in an orderly way. Returns true if the download is complete.
    package mutating func finishBody() -> Bool {
        let wasPart = end != nil
        end = nil
        guard let total = entity?.total else {
            // If the total is unknown, the next part is requested after each part. A 416 then shows that the content
            // has ended.
            guard !wasPart else { return false }
            entity?.total = written
            return true
        }
        if !wasPart, isTotalAssumed, written != total { discardAndStopRanges() }
        return written == total
    }

    /// Continues at another position, after other requests have fetched parts. All bytes before this position have been
    /// written, and all bytes after it were discarded.
    package mutating func move(to position: Int) {
        written = position
        furthestPosition = max(furthestPosition, position)
        end = nil
    }

    // MARK: Failures

    /// Stops requesting parts, because the server contradicted itself. The next request asks for the whole
    /// representation, and the bytes of the response then replace those received so far.
    mutating func discardAndStopRanges() {
        distrusts = true
        if distrustedEntity == nil || entity?.validator != nil { distrustedEntity = entity }
        entity = nil
    }

    /// Reports that the transfer was interrupted or ended too early. Returns true if the client may send another
    /// request.
    package mutating func interrupted() -> Bool {
        end = nil
        guard rules.mayRepeat, resumes < rules.maximumResumes else { return false }
        resumes += 1
        return true
    }
}
