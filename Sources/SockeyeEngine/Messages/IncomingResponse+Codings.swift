import SockeyeCore
package import SockeyeHTTP

extension IncomingResponse {
    /// Undoes the content codings of a response whose request did not ask for any, for readers that would make nothing of coded
    /// bytes, such as those of events and lines. Servers and proxies may code unasked (RFC 9110 12.5.3).
    ///
    /// No effect on content that is decoded already, or that somebody has begun to read. The fields stay as they are.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/badContentCoding`` for a coding that this library does not know.
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
    /// Replaces all of the content, before anybody reads, by that of another source; nil leaves it as it is.
    fileprivate func wrap(_ wrap: (_ first: Bytes, _ source: (any BodySource)?) -> (any BodySource)?) {
        replaceUnread { first, source in
            guard !first.isEmpty || source != nil, let outer = wrap(first, source) else { return (first, source) }
            return (Bytes(), outer)
        }
    }
}
