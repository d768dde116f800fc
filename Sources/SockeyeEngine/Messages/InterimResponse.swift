public import HTTPTypes

extension IncomingResponse {
    /// An interim (1xx) response, such as 103 Early Hints (RFC 9110 15.2).
    public struct Interim: Sendable {
        /// 100 to 199, but never 101, which ends the exchange.
        public let status: HTTPResponse.Status
        /// Its fields.
        public let headers: HTTPFields

        package init(status: HTTPResponse.Status, headers: HTTPFields) {
            self.status = status
            self.headers = headers
        }
    }
}

extension IncomingResponse.Interim: CustomStringConvertible, CustomReflectable {
    /// For example `103 with 2 fields`. Not which, since they may hold secrets.
    public var description: String { "\(status.code) with \(headers.count) fields" }

    /// The description alone, so that dumps show no values of fields either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
