/// The limits on heads, chunks and trailers. Each ``PeerFault`` for an exceeded limit carries the limit's value.
package struct HTTP1Limits: Sendable, Hashable {
    /// Bytes of one response head, including the status line and the final empty line. Default 65 536.
    package var headBytes = 65_536
    /// Fields of one response head. Default 200.
    package var fieldCount = 200
    /// Bytes of all interim (1xx) responses before the final response, together. Default 65 536.
    package var interimBytes = 65_536
    /// Bytes of one chunk-size line, including its CRLF. Default 4 096.
    package var chunkLineBytes = 4_096
    /// Bytes by which the chunk-size lines of one body, with extensions and blanks, may together exceed their
    /// allowances. The allowance of a line is 16 bytes plus twice the size of the chunk's data. The unused allowance
    /// of a line reduces the excess of earlier lines. Default 16 384.
    package var chunkExtensionBytes = 16_384
    /// Bytes of the trailer section, including its final empty line. Default 16 384.
    package var trailerBytes = 16_384
    /// Fields of the trailer section. Default 100.
    package var trailerCount = 100

    package init() {}
}
