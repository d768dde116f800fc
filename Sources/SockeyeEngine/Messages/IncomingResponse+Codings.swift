import SockeyeCore
package import SockeyeHTTP

extension IncomingResponse {
    /// Undoes the content codings of a response to a request that asked for no coding. Servers and proxies may apply a
    /// coding unasked (RFC 9110 12.5.3).
    ///
    /// No effect on content that is already decoded or that a reader has begun to read. The header fields stay as they
    /// are. The limit of the body applies to the decoded content.
    ///
    /// - Parameter limits: The limits of the decoding; nil uses those of the client.
    /// - Throws: ``SockeyeError/Code-swift.struct/badContentCoding`` for a coding that is unknown or that this
    ///   build does not support (`ContentCoding.isLinked`), and for too many codings.
    package func undoCodings(_ limits: DecodingLimits? = nil) throws(SockeyeError) {
        let names = head.values(of: .contentEncoding)
        guard !names.isEmpty else { return }
        do throws(CodecError) {
            let codings = try ContentCoding.parse(names)
            guard !codings.isEmpty else { return }
            let own = head.codedLimits
            head.reader.wrap { first, source in
                let limited = source as? LimitedSource
                guard !(source is DecodingSource), limited?.isAfterDecoding != true else { return nil }
                let decoded = DecodingSource(
                    codings, limits: limits ?? own?.decoding ?? .default, first: first, upstream: source,
                    exceeded: own?.exceeded)
                guard let limit = own?.body ?? limited?.limit else { return decoded }
                return LimitedSource(limit, announced: nil, first: Bytes(), upstream: decoded)
            }
        } catch {
            throw SockeyeError(error).about(request)
        }
    }
}

extension BodyReader {
    /// Replaces the source of unread content by the result of `wrap`, unless that is nil.
    fileprivate func wrap(_ wrap: (_ first: Bytes, _ source: (any BodySource)?) -> (any BodySource)?) {
        replaceUnread { first, source in
            guard !first.isEmpty || source != nil, let outer = wrap(first, source) else { return (first, source) }
            return (Bytes(), outer)
        }
    }
}
