import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

extension MultipartForm {
    /// The form as a body; ``contentType`` goes with it. Nothing is read for it. A form without parts is no body at all.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for what cannot be sent.
    public func body() throws(SockeyeError) -> OutgoingRequest.Body {
        try check()
        guard !parts.isEmpty else { return .none }
        let body = segments.body(length: framing.length(of: lengths), OneShotClaim.all(singleUses))
        return throttle.map(body.throttled) ?? body
    }

    /// What is sent, in order.
    private var segments: FormSegments {
        var segments = FormSegments()
        // A span, so that no part is copied on the way.
        let parts = parts.span
        for index in parts.indices {
            segments.append { framing.writeOpening(parts[index].head, isFirst: index == 0, to: &$0) }
            segments.append(parts[index].content, part: index + 1)
        }
        segments.append { $0 += framing.ending }
        return segments
    }
}

extension OutgoingRequest {
    /// Makes the form the content of this request, and sets Content-Type, whatever it was before. Of a form without parts
    /// nothing is set: the request is a plain one.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/invalidRequest`` for GET and HEAD, as AFNetworking has it, and
    ///   ``SockeyeError/Code-swift.struct/encodingFailed`` for what cannot be sent.
    public mutating func setBody(_ form: MultipartForm) throws(SockeyeError) {
        let identity = RequestIdentity(method: method.rawValue, url: url)
        guard method != .get, method != .head else {
            let message = "a multipart form cannot be sent with \(method.rawValue)"
            throw SockeyeError(.init(.invalidRequest, phase: .prepare, blame: .caller, message: message)).about(
                identity)
        }
        do throws(SockeyeError) {
            let body = try form.body()
            guard !form.isEmpty else { return }
            change { values in
                values.body = body
                values.headers[.contentType] = form.contentType
            }
        } catch {
            throw error.about(identity)
        }
    }
}
