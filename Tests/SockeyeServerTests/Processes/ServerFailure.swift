import Glibc

/// A server that could not be started, or that did what it should not.
struct ServerFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ call: String, code: Int32) {
        description = unsafe "\(call): \(String(cString: strerror(code)))"
    }
}
