package import SockeyeHTTP1

/// The fields of a part that is sent.
package struct PartHead: Sendable {
    /// Written first; nil outside of forms.
    package var disposition: FormDisposition?
    /// The other fields, in order.
    package var headers: Headers

    package init(disposition: FormDisposition?, headers: Headers = [:]) {
        self.disposition = disposition
        self.headers = headers
    }

    /// The lines as they are sent, without the empty one behind them.
    package func encoded() throws(RequestFault) -> [UInt8] {
        var lines: [UInt8] = []
        // Not checked as other fields are: controls other than CR and LF stand in names as they are, says HTML.
        if let disposition { lines.append(contentsOf: "Content-Disposition: \(disposition.value)\r\n".utf8) }
        lines.append(contentsOf: try FieldSection.encode(headers))
        return lines
    }
}
