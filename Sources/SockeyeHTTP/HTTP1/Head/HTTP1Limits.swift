/// How much a peer may send before it is refused, each named in the ``PeerFault`` that refuses it.
package struct HTTP1Limits: Sendable, Hashable {
    /// Bytes of one response head, status line and final empty line included. Default 65 536.
    package var headBytes = 65_536
    /// Fields of one response head. Default 200.
    package var fieldCount = 200
    /// Bytes of all interim (1xx) responses before the final one together. Default 65 536.
    package var interimBytes = 65_536
    /// Bytes of one chunk-size line, its CRLF included. Default 4 096.
    package var chunkLineBytes = 4_096
    /// Bytes of chunk extensions in one body, blanks around them included. Default 16 384.
    package var chunkExtensionBytes = 16_384
    /// Bytes of the trailer section, its final empty line included. Default 16 384.
    package var trailerBytes = 16_384
    /// Fields of the trailer section. Default 100.
    package var trailerCount = 100

    package init() {}
}
