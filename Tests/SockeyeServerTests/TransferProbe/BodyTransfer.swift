import Sockeye

/// One body of many bytes, in either direction.
struct BodyTransfer {
    let client: HTTPClient
    let url: String
    let size: Int

    func download() async throws -> Int {
        let response = try await client.get(url)
        guard response.status == .ok else { return -response.status.code }
        var received = 0
        for try await chunk in response.body { received += chunk.count }
        return received
    }

    func upload(length: Int?) async throws -> Int {
        let response = try await client.put(url, .stream(Zeros(count: size), length: length))
        guard response.status.kind == .successful else { return -response.status.code }
        return size
    }

    func upload(bytesPerSecond rate: Int) async throws -> Int {
        let body = OutgoingRequest.Body.stream(Zeros(count: size), length: size).throttled(bytesPerSecond: rate)
        return try await client.put(url, .body(body)).status == .ok ? size : -1
    }

    /// Sends a form with half of the bytes from a file and half from a stream. The server returns the announced and the
    /// received length; the result is -1 unless both equal the form's length.
    func uploadForm(file: String) async throws -> Int {
        var form = MultipartForm()
        form.field("title", "large")
        try form.file("file", at: file)
        form.stream("stream", Zeros(count: size / 2), length: size / 2, filename: "zeros")
        let length = try form.body().length ?? 0
        let answer = try await client.post(url, .multipart(form)).text()
        return answer == "\(length) \(length)" ? length : -1
    }
}

/// A number of zeros, in pieces of 64 KiB that share one block.
struct Zeros: AsyncSequence, Sendable {
    typealias Element = Bytes
    typealias Failure = Never

    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(left: count) }

    struct Iterator: AsyncIteratorProtocol {
        private static let block = Bytes([UInt8](repeating: 0, count: 64 << 10))
        var left: Int

        mutating func next() async -> Bytes? {
            guard left > 0 else { return nil }
            let piece = Self.block.slice(0..<Swift.min(left, Self.block.count))
            left -= piece.count
            return piece
        }
    }
}
