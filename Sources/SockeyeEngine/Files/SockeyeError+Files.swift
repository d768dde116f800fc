import SockeyeNet
import SockeyePlatform

extension SockeyeError {
    /// Translates the error of an operation on a file that the library creates or writes.
    package init(_ error: FileError) {
        var fields =
            switch error.systemError {
            case .noSpace, .quotaExceeded, .fileTooLarge:
                Fields(.diskFull, phase: .body, blame: .disk, message: error.description)
            case let code where code.isOutOfResources:
                Fields(.outOfResources, phase: .body, blame: .network, message: error.description)
            case .exists:
                Fields(.fileExists, phase: .body, blame: .policy, message: error.description)
            // Errors of the disk, for which the caller is not responsible.
            case .inputOutput, .stale, .timedOut, .readOnlyFileSystem:
                Fields(.fileFailed, phase: .body, blame: .disk, message: error.description)
            default:
                Fields(.fileFailed, phase: .body, blame: .caller, message: error.description)
            }
        fields.underlying = error
        self.init(fields)
    }

    /// Translates the failure to write a file.
    package init(_ failure: FileFailure) {
        switch failure {
        case .system(let error): self.init(error)
        case .cancelled: self = SockeyeError(TransportError.cancelled, phase: .body).with { $0.underlying = failure }
        }
    }

    /// True if the task was cancelled while it waited for a file operation.
    package var isCancelledDiskWait: Bool {
        if case .cancelled? = underlying as? FileFailure { true } else { false }
    }
}
