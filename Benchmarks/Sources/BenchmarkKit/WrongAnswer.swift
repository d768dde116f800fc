/// An answer that is not the one the server was to give.
package struct WrongAnswer: Error, CustomStringConvertible {
    package let description: String

    private init(_ description: String) { self.description = description }

    /// Fails unless the request succeeded and moved as many bytes as it should.
    package static func check(status: Int, bytes: Int, for job: Job) throws(WrongAnswer) {
        guard status == 200 else { throw WrongAnswer("status \(status)") }
        guard job.frameBytes.contains(bytes - job.bytes) else { throw WrongAnswer("\(bytes) bytes, not \(job.bytes)") }
    }

    /// Fails unless as many users were decoded as there should be.
    package static func check(users: [User], for job: Job) throws(WrongAnswer) {
        guard job == .json(users: users.count) else { throw WrongAnswer("\(users.count) users, not \(job)") }
    }

    /// The number of bytes that the upload server says it received.
    package static func received(_ answer: some Sequence<UInt8>) -> Int {
        Int(String(decoding: Array(answer), as: UTF8.self)) ?? -1
    }
}
