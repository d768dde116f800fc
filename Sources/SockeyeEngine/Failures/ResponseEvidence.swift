public import HTTPTypes
public import SockeyeCore

extension SockeyeError {
    /// What is kept of a response that was refused, for whoever handles the error.
    ///
    /// Not part of any description: a body may hold secrets.
    public struct Evidence: Sendable {
        /// The status of the response.
        public let status: HTTPResponse.Status
        /// Its fields.
        public let headers: HTTPFields
        /// Its body, cut to the first 64 KiB.
        public let body: Bytes

        /// How much of a body is kept.
        package static let bodyLimit = 64 << 10

        package init(status: HTTPResponse.Status, headers: HTTPFields, body: Bytes) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// - Parameter body: The start of the body, of which no more is kept than the limit.
        package init(status: HTTPResponse.Status, headers: HTTPFields, startOf body: Bytes) {
            // A slice would keep all of a large body for as long as the error lives.
            let kept = body.count > Self.bodyLimit ? body.slice(0..<Self.bodyLimit).compacted() : body
            self.init(status: status, headers: headers, body: kept)
        }
    }
}

extension SockeyeError.Evidence: CustomStringConvertible, CustomReflectable {
    /// For example `302 with 3 fields and 120 bytes`.
    public var description: String { "\(status.code) with \(headers.count) fields and \(body.count) bytes" }

    /// The description alone, so that the dump of an error shows no values of fields either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
