import HTTPTypes
import SockeyeEngine
import SockeyeHTTP

extension IncomingResponse {
    /// The targets of a redirect. A field is bytes; those beyond ASCII go on as they are, which in a URL means encoded.
    var locations: [String] {
        let values = values(of: .location)
        guard !values.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return values }
        return headers[fields: .location].map { field in
            unsafe field.withUnsafeBytesOfValue { unsafe PercentEncoding.encodingBeyondASCII($0) }
        }
    }

    func refusal(_ fault: RedirectFault) async -> SockeyeError {
        switch fault {
        case .ambiguous:
            return await refusal(.redirectRefused, "the response has several Location fields that differ")
        case .badTarget(let fault):
            return await refusal(.redirectRefused, "the target of the redirect cannot be requested: \(fault)")
        case .downgrade:
            return await refusal(.redirectRefused, "the redirect leads from https to http", blame: .policy)
        case .loop:
            return await refusal(.redirectLoop, "the redirects lead back to a URL of the same call again and again")
        case .tooMany(let limit):
            return await refusal(.limitExceeded, "there are too many redirects", blame: .policy).with { fields in
                fields.limit = .init("maximumCount", configured: limit, seen: limit + 1)
            }
        }
    }
}
