import Foundation
import FoundationNetworking
import Synchronization

/// Receives bodies piece by piece, because collecting a large body would measure memory and not the transfer.
final class BodyCounter: NSObject, URLSessionDataDelegate {
    private struct Transfer {
        var bytes = 0
        let continuation: CheckedContinuation<(Int, Int), any Error>
    }

    private let transfers = Mutex<[Int: Transfer]>([:])

    /// Runs a task to its end and returns the status and the number of body bytes.
    func run(_ task: URLSessionDataTask) async throws -> (Int, Int) {
        try await withCheckedThrowingContinuation { continuation in
            transfers.withLock { $0[task.taskIdentifier] = Transfer(continuation: continuation) }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfers.withLock { $0[dataTask.taskIdentifier]?.bytes += data.count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let error {
            transfer.continuation.resume(throwing: error)
        } else {
            let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
            transfer.continuation.resume(returning: (status, transfer.bytes))
        }
    }
}
