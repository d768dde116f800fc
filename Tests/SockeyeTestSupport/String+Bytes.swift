package import SockeyeCore

extension String {
    /// The text as UTF-8.
    package var bytes: Bytes { Bytes(self) }
}
