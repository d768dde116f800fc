import SockeyeHTTP

extension OutgoingRequest.Parts {
    /// Whether content codings of the answer are undone: unless the caller asks for a Range, whose bytes are those of the
    /// coded form, or negotiates codings by an Accept-Encoding field.
    ///
    /// With ``OutgoingRequest/Options/decompresses`` set, `Accept-Encoding: identity` is no negotiation.
    @inline(__always)
    package func undoesCodings(byDefault usual: Bool) -> Bool {
        guard options.decompresses ?? usual else { return false }
        return headers.isEmpty || leavesCodingsToClient
    }

    private var leavesCodingsToClient: Bool {
        guard !headers.contains(.range) else { return false }
        guard headers.contains(.acceptEncoding) else { return true }
        return options.decompresses == true && headers.refusesCodings
    }
}
