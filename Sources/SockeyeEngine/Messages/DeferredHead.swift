package import SockeyeHTTP

/// The head of a response that was not received from a connection, such as one from a cache. Its list of fields is made
/// only on demand.
package protocol DeferredHead: Sendable {
    var status: Int { get }
    var reason: String { get }
    /// True if the content is decoded already.
    var isDecoded: Bool { get }

    /// Returns every value of a field.
    func values(of name: Headers.Name) -> [String]

    func makeFields() -> Headers
}
