import SockeyeEngine

// Events of the call that a response belongs to, if a monitor listens to it.

extension IncomingResponse {
    /// The response becomes a file at a destination.
    func tellOfDownload(to destination: DownloadDestination) {
        (observer as? CallObserver)?.becameDownload(self, to: destination)
    }

    /// The file of the response was moved to its destination.
    ///
    /// - Parameter error: Why it was not moved.
    func tellOfMove(to path: String, _ error: SockeyeError?) {
        (observer as? CallObserver)?.fileMoved(to: path, error)
    }
}
