import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform

/// The sending half of an exchange: the first write, and the upload of a body that does not fit into it.
struct RequestSender: Sendable {
    /// The upload that sends the rest of the request. Nil if the first write took the entire request or failed, and
    /// while the body waits for 100 (Continue).
    private(set) var upload: Upload?
    /// The error of the first write. The response may have arrived nevertheless.
    private(set) var writeFailure: TransportError?
    /// True before the first write, and afterwards if the system took no byte of the request.
    private var isFirstWriteUnsent = true
    /// The gate at which the caller pauses the transfer; nil if the caller cannot pause it.
    private var gate: TransferGate?

    /// True if no byte of the request was sent. False once an upload has started, because it may have sent bytes.
    var isUnsent: Bool { isFirstWriteUnsent && upload == nil }

    /// The upload's ``Upload/lastProgress``. Without an upload, the end of the caller's last pause; nil if there was no
    /// pause.
    var lastProgress: MonotonicTime? { upload?.lastProgress ?? gate?.endOfPause }

    // MARK: Sending

    /// Writes the head. A body in memory or in a short file follows in the same write, unless it waits for 100
    /// (Continue) or for the end of a pause. Starts the upload of the rest.
    mutating func begin(
        _ request: borrowing PreparedRequest, adding added: borrowing FieldLineBuffer,
        on connection: OriginConnection, _ machine: inout ExchangeMachine
    ) throws(ExchangeFailure) {
        gate = request.options.gate
        let isPaused = gate?.isShut ?? false
        let sendsLater = machine.holdsBody || isPaused
        let file = sendsLater ? nil : try Self.readShortFile(request)
        var inMemory = file ?? Bytes()
        if case .bytes(let bytes) = request.body.source, !sendsLater { inMemory = bytes }
        let first: HeadWrite
        do throws(RequestFault) {
            first = try HeadWrite.perform(request, adding: added, body: inMemory, to: connection.stream)
        } catch {
            throw ExchangeFailure(SockeyeError(error))
        }
        isFirstWriteUnsent = first.isUnsent
        if first.hasFailed {
            writeFailure = first.failure
            machine.uploadFailed()
        } else if machine.holdsBody {
            // If the head is too long for one write, its rest and the body are sent together, without waiting for 100
            // (Continue).
            if !first.pendingHead.isEmpty, machine.expectationTimerFired() {
                try startUpload(request, on: connection, pending: first.pendingHead)
            }
        } else if first.isComplete, file != nil || !(request.body.isProduced || isPaused && request.body.length != 0) {
            if !inMemory.isEmpty {
                request.options.onBodyProgress?(inMemory.count)
            }
            request.observer?.sentRequest(withBody: inMemory.count, in: request.exchange)
            machine.uploadFinished()
        } else {
            let body = file.map { OutgoingRequest.Body.bytes($0) }
            try startUpload(request, on: connection, body, pending: first.pendingHead, bodySent: first.bodySent)
        }
    }

    /// Sends the body that `Expect: 100-continue` held back.
    mutating func sendBody(
        of request: borrowing PreparedRequest, on connection: OriginConnection
    ) throws(ExchangeFailure) {
        try startUpload(request, on: connection)
    }

    /// Returns the content of a file that is short enough to be sent with the head. Nil for every other body, and if
    /// the content is not in the system's cache.
    private static func readShortFile(_ request: borrowing PreparedRequest) throws(ExchangeFailure) -> Bytes? {
        do throws(SockeyeError) { return try request.body.readShortFile() } catch { throw ExchangeFailure(error) }
    }

    @inline(never)
    private mutating func startUpload(
        _ request: borrowing PreparedRequest, on connection: OriginConnection, _ body: OutgoingRequest.Body? = nil,
        pending: Bytes = Bytes(), bodySent: Int = 0
    ) throws(ExchangeFailure) {
        do throws(TransportError) {
            let upload = try Upload(
                stream: connection.stream, framing: request.framing, deadlines: request.deadlines,
                poller: connection.poller, alreadySent: bodySent, gate: request.options.gate,
                onProgress: request.options.onBodyProgress, observer: request.observer, exchange: request.exchange)
            self.upload = upload
            request.body.oneShotClaim?.reserve()
            upload.start(pending: pending, (body ?? request.body).skipping(bodySent))
        } catch {
            throw ExchangeFailure(SockeyeError(error, phase: .send))
        }
    }

    // MARK: Ending

    var isUploading: Bool {
        if case .running = upload?.status { true } else { false }
    }

    /// True if no upload was started, or if it has sent the entire body.
    var hasFinishedUpload: Bool {
        switch upload?.status {
        case nil, .finished: true
        case .running, .stopped, .failed, .broken: false
        }
    }

    /// Ends the upload and takes the connection away from it. If the body can be read only once, but the upload has not
    /// begun to read it, another request can still send the body.
    func detach() { upload?.detach() }

    /// Tells the upload that the final head of the response has arrived. The upload continues.
    func headArrived() { upload?.headArrived() }

    /// Waits for the end of the upload, but no longer than `deadline`.
    ///
    /// - Returns: The reason why the wait ended: `ready` if nothing is being sent any more.
    @discardableResult
    func waitUntilEnded(_ deadline: MonotonicTime) async -> WaitPoint.Wake {
        await upload?.waitUntilEnded(deadline) ?? .ready
    }

    // MARK: Status

    func report(to machine: inout ExchangeMachine) {
        switch upload?.status {
        case nil, .running: break
        case .finished: machine.uploadFinished()
        case .stopped: machine.uploadStopped()
        case .failed, .broken: machine.uploadFailed()
        }
    }

    /// The error that ended the upload if the caller's body failed or a deadline of this client passed. It takes
    /// precedence over an error of the receiving half, which may be only a consequence.
    var error: SockeyeError? {
        if case .failed(let error) = upload?.status { error } else { nil }
    }

    /// The error of a write that failed for lack of memory; nil after any other failure. The connection is intact, but
    /// the peer waits for the rest of the request and does not respond.
    var shortage: TransportError? {
        if case .broken(let error) = upload?.status, error.isOutOfResources { return error }
        guard let writeFailure, writeFailure.isOutOfResources else { return nil }
        return writeFailure
    }

    /// Throws the error that ended the upload, if the caller's body failed, a deadline passed or the connection broke.
    func checkUpload() throws(ExchangeFailure) {
        switch upload?.status {
        case .failed(let error): throw ExchangeFailure(error)
        case .broken(let error): throw ExchangeFailure(SockeyeError(error, phase: .send))
        case nil, .running, .finished, .stopped: break
        }
    }

    /// Throws if the caller's body or a deadline of this client ended the upload after an early successful response.
    /// Only a part of the body was sent, so the exchange has failed.
    func checkBody(behind response: IncomingResponse) throws(ExchangeFailure) {
        guard let error, response.status.kind == .successful else { return }
        throw ExchangeFailure(error)
    }

    /// The phase of a failure before the response: sending, or waiting for the response.
    var phase: SockeyeError.Phase {
        switch upload?.status {
        case .running, .broken: .send
        case nil, .finished, .stopped, .failed: writeFailure == nil ? .head : .send
        }
    }
}

/// The first write of a request: its head, encoded on the stack if it is short, followed by a body in memory, in one
/// system call. Noncopyable for speed, like ``RequestHead``: the compiler would copy a copyable struct when it is
/// returned.
struct HeadWrite: ~Copyable {
    /// The bytes that the stream did not accept: the rest of the head, or the whole head and the beginning of the body.
    var pendingHead = Bytes()
    /// The number of body bytes that the stream accepted or that ``pendingHead`` contains.
    var bodySent = 0
    /// True if the stream accepted everything.
    var isComplete = false
    var failure: TransportError?
    /// True if there is a ``failure``. Comparing `failure` with nil would copy it.
    var hasFailed = false
    /// True if the stream accepted no byte.
    var isUnsent = true

    static func perform(
        _ request: borrowing PreparedRequest, adding added: borrowing FieldLineBuffer, body: Bytes,
        to stream: any ByteStream
    ) throws(RequestFault) -> HeadWrite {
        var result = HeadWrite()
        // `withUnsafeTemporaryAllocation` loses the closure's error type, so the closure returns the fault.
        let fault: RequestFault? = unsafe withUnsafeTemporaryAllocation(
            byteCount: request.headSizeBound + added.byteCount, alignment: 1
        ) { buffer in
            do throws(RequestFault) {
                let count = try unsafe request.encodeHead(adding: added, into: buffer)
                unsafe result.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), body, to: stream)
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
        return result
    }

    private mutating func write(_ head: UnsafeRawBufferPointer, _ body: Bytes, to stream: any ByteStream) {
        let transfer =
            unsafe body.isEmpty
            ? stream.write(head)
            : body.withUnsafeBytes { body in
                unsafe withUnsafeTemporaryAllocation(of: IOVector.self, capacity: 2) { vectors in
                    unsafe vectors[0] = unsafe IOVector(head)
                    unsafe vectors[1] = unsafe IOVector(body)
                    return unsafe stream.write(vectors: UnsafeBufferPointer(vectors))
                }
            }
        switch transfer {
        case .bytes(let count): unsafe note(count, head: head, body: body)
        case .wouldBlock: unsafe noteBlocked(head: head, body: body)
        case .end: fail(.closed)
        case .failed(let error): fail(error)
        }
    }

    private mutating func fail(_ error: TransportError) { (failure, hasFailed) = (error, true) }

    /// Keeps the head and the beginning of the body after a write that would block. TLS may have made a record of these
    /// bytes. The next attempt must pass at least the same bytes to TLS again, so they stay together.
    private mutating func noteBlocked(head: UnsafeRawBufferPointer, body: Bytes) {
        let sharing = min(body.count, max(0, Self.largestRecord - head.count))
        bodySent = sharing
        pendingHead = unsafe Bytes(count: head.count + sharing) { whole in
            unsafe whole.copyMemory(from: head)
            unsafe body.withUnsafeBytes {
                let beginning = unsafe UnsafeRawBufferPointer(rebasing: $0[..<sharing])
                unsafe UnsafeMutableRawBufferPointer(rebasing: whole[head.count...]).copyMemory(from: beginning)
            }
        }
    }

    /// The largest content of a TLS record, in bytes (RFC 8446 5.1).
    private static let largestRecord = 16 * 1024

    private mutating func note(_ count: Int, head: UnsafeRawBufferPointer, body: Bytes) {
        isUnsent = count == 0
        bodySent = max(0, count - head.count)
        isComplete = count == head.count + body.count
        if count < head.count { pendingHead = unsafe Bytes(copying: UnsafeRawBufferPointer(rebasing: head[count...])) }
    }
}
