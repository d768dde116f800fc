import Glibc
import SockeyeNet
import SockeyePlatform

extension SockeyeError {
    /// The library's error about a file that was to be written.
    package init(_ error: FileError) {
        var fields =
            switch error.code {
            case ENOSPC, EDQUOT, EFBIG:
                Fields(.diskFull, phase: .body, blame: .disk, message: error.description)
            case _ where SystemError(error.code).isOutOfResources:
                Fields(.outOfResources, phase: .body, blame: .network, message: error.description)
            case EEXIST:
                Fields(.fileExists, phase: .body, blame: .policy, message: error.description)
            // What the disk could not do, of which the caller knows nothing.
            case EIO, ESTALE, ETIMEDOUT, EROFS:
                Fields(.fileFailed, phase: .body, blame: .disk, message: error.description)
            default:
                Fields(.fileFailed, phase: .body, blame: .caller, message: error.description)
            }
        fields.underlying = error
        self.init(fields)
    }

    /// Why a file that was to be written is not there.
    package init(_ failure: FileFailure) {
        switch failure {
        case .system(let error): self.init(error)
        case .cancelled: self.init(TransportError.cancelled, phase: .body)
        }
    }
}
