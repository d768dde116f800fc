package import SockeyeCore
package import SockeyeHTTP

extension IncomingResponse {
    /// The text of a body.
    ///
    /// - Parameters:
    ///   - fallbackCharset: That of text whose response does not say.
    ///   - decode: Replaced by tests; nil is "no converter".
    package func text(
        of body: Bytes, fallbackCharset: String, decode: (TextDecoder, Bytes) -> String? = { $0.decode($1) }
    ) throws(SockeyeError) -> String {
        let own = contentType?.charset
        let label = own ?? fallbackCharset
        guard let decoder = TextDecoder(label: label) ?? TextDecoder(byteOrderMarkOf: body) else {
            throw textFailure(
                "the charset of the text is not known: \(label.prefix(40))", blame: own == nil ? .caller : .peer, body)
        }
        guard let text = decode(decoder, body) else {
            throw textFailure(
                "the C library has no converter for the charset of the text: \(decoder.encoding)", blame: .network,
                body)
        }
        return text
    }

    private func textFailure(_ message: String, blame: SockeyeError.Blame, _ body: Bytes) -> SockeyeError {
        refusal(.decodingFailed, message, body: body).with {
            $0.phase = .decode
            $0.blame = blame
        }
    }
}
