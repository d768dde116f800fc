import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

/// Makes the requests of one download. Each request is for the whole content or for a range of it. All requests share
/// the total deadline.
struct DownloadRequests {
    let original: OutgoingRequest
    let deadline: TransferDeadline

    init(_ request: OutgoingRequest, for client: HTTPClient) {
        var request = request
        if !request.headers.contains(.acceptEncoding), request.options.decompresses != true {
            request.headers[.acceptEncoding] = "identity"
            // A server may use a content coding nevertheless. If `decompresses` is nil, the client decodes no response
            // to a request with an Accept-Encoding field of its own, as this request now is. So nil is replaced by the
            // client's setting.
            let usual = client.scope.sockets?.configuration.decompresses ?? true
            request.options.decompresses = request.options.decompresses ?? usual
        }
        original = request
        deadline = client.startDeadline(of: request)
    }

    private var clock: CallClock { deadline.clock }

    var identity: RequestIdentity { RequestIdentity(method: original.method.rawValue, url: original.url) }

    // MARK: The deadline

    func timeout(in phase: SockeyeError.Phase) -> SockeyeError { deadline.timeout(in: phase).about(identity) }

    /// The error if the total deadline passed during a wait for the disk.
    var diskTimeout: SockeyeError {
        timeout(in: .body).with { fields in
            fields.blame = .disk
            fields.message = "writing the content to the disk took longer than the total deadline allows"
        }
    }

    func descriptorWait(of client: HTTPClient) -> DescriptorWait {
        let (sockets, limit) = (client.scope.sockets, deadline.limits.pool)
        return DescriptorWait(limit: limit, clock: clock) { await sockets?.evictIdleConnection() ?? false }
    }

    // MARK: Requests

    func rules(maximumResumes: Int) -> ResumeMachine.Rules {
        let kind = MethodKind(original.method.rawValue)
        return ResumeMachine.Rules(
            mayRepeat: original.parts.isIdempotent && original.body.isReplayable,
            // RFC 9110 14.2 defines Range only for GET.
            mayUseRanges: kind == .get && !original.headers.contains(.range),
            maximumResumes: maximumResumes)
    }

    /// Returns the request for the missing content: the whole content, or the rest of it with a Range field.
    func next(_ next: ResumeMachine.NextRequest) -> OutgoingRequest {
        var request = original
        if let total = remaining, total != deadline.limits.total {
            request.options = request.options.timeout(total: total)
        }
        guard case .rest(let from, let validator) = next else { return request }
        request.change { values in
            values.headers[.acceptEncoding] = "identity"
            values.headers[.range] = ByteRange.from(from).fieldValue
            values.headers[.ifRange] = validator.fieldValue
        }
        return request
    }

    /// Returns the request for one part of the content, in the version that `validator` identifies.
    func part(_ range: Range<Int>, of validator: StrongValidator) -> OutgoingRequest {
        var request = next(.rest(from: range.lowerBound, of: validator))
        request.headers[.range] = ByteRange.through(first: range.lowerBound, last: range.upperBound - 1).fieldValue
        return request
    }

    /// The time until the total deadline; nil without a total deadline.
    var remaining: Duration? {
        deadline.exists ? deadline.time.since(clock.time.now) : nil
    }

    /// Returns true if a pause of this length ends before the total deadline.
    func allows(_ pause: Duration) -> Bool {
        remaining.map { pause < $0 } ?? true
    }

    func sleep(for pause: Duration) async throws(SockeyeError) {
        do throws(TransportError) {
            try await clock.sleep(until: clock.time.now.advanced(by: pause))
        } catch {
            throw SockeyeError(error, phase: .body)
        }
    }
}
