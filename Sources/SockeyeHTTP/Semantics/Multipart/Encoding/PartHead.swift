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
        if let disposition {
            // Most heads are this line; growing in steps would cost more than writing it.
            lines.reserveCapacity(64 + (disposition.name?.utf8.count ?? 0) + (disposition.filename?.utf8.count ?? 0))
            lines.append(contentsOf: "Content-Disposition: ".utf8)
            disposition.write(to: &lines)
            lines.append(contentsOf: "\r\n".utf8)
        }
        if !headers.isEmpty { lines.append(contentsOf: try FieldSection.encode(headers)) }
        return lines
    }
}
