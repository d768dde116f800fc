import Glibc

/// An error of a server that could not be started or that misbehaved.
struct ServerFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ call: String, code: Int32) {
        description = unsafe "\(call): \(String(cString: strerror(code)))"
    }
}
