import Sockeye

extension ResponseCase {
    /// Cases whose expected reason phrase reflects a limit of the project that they come from, not a rule of HTTP.
    /// - `httparse-test_response_reason_with_obsolete_text_byte`: that project drops a reason phrase with obs-text
    ///   because it returns a UTF-8 string. RFC 9112 4 allows obs-text there, so the phrase is delivered.
    static let reasonsOfTheirOwn: Set = ["httparse-test_response_reason_with_obsolete_text_byte"]

    /// Cases that list trailers which a recipient must ignore.
    /// - `hyper-client_res_body_chunked_with_pathological_trailers`: its trailer section has transfer-encoding,
    ///   content-length and trailer. RFC 9110 6.5.1 forbids them there, so the response delivers only the others.
    static let trailersOfTheirOwn: Set = ["hyper-client_res_body_chunked_with_pathological_trailers"]

    /// Returns the differences between an outcome and the expectation of the case.
    func complaints(about outcome: ResponseOutcome) -> [String] {
        var complaints: [String] = []
        // A hang would end with this error as well.
        if let error = outcome.error, error.code == .timeout { complaints.append("timed out: \(error)") }
        let values = outcome.head?.headers.map(\.value) ?? []
        if let mustNotDeliver, values.contains(where: { $0.contains(mustNotDeliver) }) {
            complaints.append("delivered a byte that must not be delivered")
        }
        switch expect {
        case "error":
            if outcome.error == nil { complaints.append("no error") }
        case "ok":
            if let error = outcome.error { complaints.append("failed: \(error)") }
            if outcome.error == nil { compare(outcome, &complaints) }
        case "either":
            if outcome.error == nil, origin != "error" { compare(outcome, &complaints) }
        default: break
        }
        return complaints
    }

    private func compare(_ outcome: ResponseOutcome, _ complaints: inout [String]) {
        guard let head = outcome.head else { return complaints.append("no response") }
        func check<Value: Equatable>(_ what: String, _ seen: Value, _ expected: Value?) {
            guard let expected, seen != expected else { return }
            complaints.append("\(what) \(seen) instead of \(expected)")
        }
        check("status", head.status.code, status)
        check("version", "1.\(head.minorVersion)", version)
        if !Self.reasonsOfTheirOwn.contains(id) { check("reason", head.reason, reason) }
        let fields = head.headers.map { Self.normalized([$0.name.description, $0.value]) }
        check("fields", fields, headers.map { $0.map(Self.normalized) })
        for field in headersInclude ?? [] where !fields.contains(Self.normalized(field)) {
            complaints.append("no field \(field) among \(fields)")
        }
        check("body", outcome.body, body?.bytes)
        let expectedTrailers = Self.trailersOfTheirOwn.contains(id) ? nil : trailers
        check(
            "trailers", head.trailers?.map { Self.normalized([$0.name.description, $0.value]) } ?? [],
            expectedTrailers.map { $0.map(Self.normalized) })
    }

    private static func normalized(_ field: [String]) -> [String] {
        [field[0].lowercased(), field[1].split { $0 == " " || $0 == "\t" }.joined(separator: " ")]
    }
}
