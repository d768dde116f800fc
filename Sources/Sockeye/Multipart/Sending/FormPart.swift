import SockeyeEngine

/// A part of a form before it is sent.
struct FormPart: Sendable {
    /// The lines of its fields.
    let head: [UInt8]
    let content: OutgoingRequest.Body
}
