import SockeyeCore
package import SockeyeHTTP

extension IncomingResponse {
    /// Undoes the content codings of a response to a request that asked for no coding. For readers of events, lines and
    /// the like, to which coded bytes are useless. Servers and proxies may code unasked (RFC 9110 12.5.3).
    ///
    /// No effect on content that is already decoded or that a reader has begun to read. The fields stay as they are.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/badContentCoding`` for a coding that this library does not support.
    package func undoCodings(_ limits: DecodingLimits) throws(SockeyeError) {
        let names = head.values(of: .contentEncoding)
        guard !names.isEmpty else { return }
        do throws(CodecError) {
            let codings = try ContentCoding.parse(names)
            guard !codings.isEmpty else { return }
            head.reader.wrap { first, source in
                source is DecodingSource
                    ? nil : DecodingSource(codings, limits: limits, first: first, upstream: source)
            }
        } catch {
            throw SockeyeError(error).about(request)
        }
    }
}

extension BodyReader {
    /// Replaces the source of unread content by the result of `wrap`; nil keeps the content.
    fileprivate func wrap(_ wrap: (_ first: Bytes, _ source: (any BodySource)?) -> (any BodySource)?) {
        replaceUnread { first, source in
            guard !first.isEmpty || source != nil, let outer = wrap(first, source) else { return (first, source) }
            return (Bytes(), outer)
        }
    }
}
