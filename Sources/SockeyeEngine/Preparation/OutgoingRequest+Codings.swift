import SockeyeHTTP

extension OutgoingRequest.Parts {
    /// True if content codings of the response are undone. False if the caller asks for a Range, which counts bytes of
    /// the coded form, or negotiates codings with an Accept-Encoding field.
    ///
    /// With ``OutgoingRequest/Options/decompresses`` set to true, `Accept-Encoding: identity` does not count as
    /// negotiation.
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
