import SockeyeEngine

extension ResponseValidation {
    /// What is wrong with the head of a response, if it has content.
    func objections(to response: IncomingResponse) -> ResponseObjections {
        // Looking at Content-Type costs a copy of it.
        let types = contentTypes == nil ? [] : response.values(of: .contentType)
        return objections(status: response.statusCode, contentType: types)
    }

    /// The error about a response with this body, or with a body that begins so; nil if there is none.
    func refusal(of response: IncomingResponse, body: Bytes) -> SockeyeError? {
        let objections = objections(to: response)
        var refusal: SockeyeError?
        if objections.contains(.contentType), !body.isEmpty {
            refusal = response.refusal(.unacceptableContentType, typeMessage(response), body: body)
        }
        if objections.contains(.status) {
            let typeRefusal = refusal
            refusal = response.refusal(.unacceptableStatus, "the server answered \(response.statusCode)", body: body)
                .with { $0.underlying = typeRefusal }
        }
        return refusal
    }

    private func typeMessage(_ response: IncomingResponse) -> String {
        let wanted = "not \((contentTypes ?? []).joined(separator: " or "))"
        guard let type = response.contentType else { return "the content has no type, so \(wanted)" }
        return "the content is \(type.essence.prefix(80)), \(wanted)"
    }
}
