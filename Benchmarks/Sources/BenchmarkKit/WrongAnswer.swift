/// An error: the response is not the expected one.
package struct WrongAnswer: Error, CustomStringConvertible {
    package let description: String

    private init(_ description: String) { self.description = description }

    /// Throws unless the status is 200 and the expected number of bytes was moved.
    package static func check(status: Int, bytes: Int, for job: Job) throws(WrongAnswer) {
        guard status == 200 else { throw WrongAnswer("status \(status)") }
        guard job.frameBytes.contains(bytes - job.bytes) else {
            throw WrongAnswer("\(bytes) bytes instead of \(job.bytes)")
        }
    }

    /// Throws unless the expected number of users was decoded.
    package static func check(users: [User], for job: Job) throws(WrongAnswer) {
        guard job == .json(users: users.count) else { throw WrongAnswer("\(users.count) users, expected \(job)") }
    }

    /// Returns the number of received bytes that the upload server reports; -1 if the answer is not a number.
    package static func received(_ answer: some Sequence<UInt8>) -> Int {
        Int(String(decoding: Array(answer), as: UTF8.self)) ?? -1
    }
}
