import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform

/// The first write of a request: its head, encoded on the stack, followed by a body in memory, in one system call.
/// Noncopyable for the same reason as ``RequestHead``.
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
    var isUnsent = true

    static func perform(
        _ request: borrowing PreparedRequest, adding added: borrowing FieldLineBuffer, body: Bytes,
        to stream: any ByteStream
    ) throws(RequestFault) -> HeadWrite {
        var result = HeadWrite()
        // `withUnsafeTemporaryAllocation` loses the closure's error type. The head is encoded inside, because capturing
        // it would copy it.
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

    /// Keeps the rest after a write that would block. TLS may have made a record of the head and the beginning of the
    /// body. It needs at least the same bytes again on the next attempt, so they stay together.
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

    private static let largestRecord = 16 * 1024

    private mutating func note(_ count: Int, head: UnsafeRawBufferPointer, body: Bytes) {
        isUnsent = count == 0
        bodySent = max(0, count - head.count)
        isComplete = count == head.count + body.count
        if count < head.count { pendingHead = unsafe Bytes(copying: UnsafeRawBufferPointer(rebasing: head[count...])) }
    }
}
