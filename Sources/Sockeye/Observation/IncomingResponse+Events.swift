import SockeyeEngine

// Events that the monitors of the response's call receive.

extension IncomingResponse {
    /// Reports that the response will be saved to a file.
    package func tellOfDownload(to destination: DownloadDestination) {
        (observer as? CallObserver)?.becameDownload(self, to: destination)
    }

    /// Reports the move of the response's file to its destination.
    ///
    /// - Parameter error: The error if the file could not be moved.
    package func tellOfMove(to path: String, _ error: SockeyeError?) {
        (observer as? CallObserver)?.fileMoved(to: path, error)
    }
}
