import Sockeye

/// The exit status of the command. It is curl's number if curl has one for the failure; own numbers begin at 110.
package struct ExitStatus: Sendable, Hashable {
    package let code: Int32
    package let meaning: String

    private init(_ code: Int32, _ meaning: String) {
        self.code = code
        self.meaning = meaning
    }

    package static let success = ExitStatus(0, "The call was answered; with `--fail` by a status below 400.")
    package static let other = ExitStatus(1, "Anything that has no number of its own.")
    package static let usage = ExitStatus(2, "The command line is wrong.")
    package static let url = ExitStatus(3, "The URL is malformed, or neither http nor https.")
    package static let resolve = ExitStatus(6, "The host name could not be resolved.")
    package static let connect = ExitStatus(7, "No connection could be made.")
    package static let malformed = ExitStatus(8, "The response is no HTTP.")
    package static let partial = ExitStatus(18, "The connection ended before the content was complete.")
    package static let status = ExitStatus(
        22, "The status is 400 or above (`--fail`), neither 2xx nor 416 (`-C`), or not 2xx (`sockeye download`).")
    package static let write = ExitStatus(23, "A file, or standard output, could not be written.")
    package static let read = ExitStatus(26, "A file that was to be sent or read could not be read.")
    package static let resources = ExitStatus(27, "The system has no descriptors or memory left.")
    package static let timeout = ExitStatus(28, "A deadline passed.")
    package static let range = ExitStatus(33, "The server does not go on where the file ends.")
    package static let handshake = ExitStatus(35, "The TLS handshake failed.")
    package static let redirects = ExitStatus(47, "Too many redirects, or one that must not be followed.")
    package static let empty = ExitStatus(52, "The connection ended before a response came.")
    package static let identity = ExitStatus(58, "Roots, client certificate or key cannot be used.")
    package static let certificate = ExitStatus(60, "The server's certificate is not trusted.")
    package static let coding = ExitStatus(61, "The content coding is damaged or unknown.")
    package static let tooLarge = ExitStatus(63, "A limit was passed, such as that of a response's head.")
    package static let pin = ExitStatus(90, "The server's key does not match a pinned key.")
    package static let credentials = ExitStatus(94, "Credentials are missing, or would have been sent over plain http.")
    package static let proxy = ExitStatus(97, "The proxy refused, or broke its protocol.")
    package static let checksum = ExitStatus(110, "The content is not what its checksum says.")
    package static let interrupted = ExitStatus(130, "Ended by Ctrl-C.")

    /// All exit statuses, sorted by number.
    package static let all: [ExitStatus] = [
        success, other, usage, url, resolve, connect, malformed, partial, status, write, read, resources, timeout,
        range, handshake, redirects, empty, identity, certificate, coding, tooLarge, pin, credentials, proxy, checksum,
        interrupted,
    ]

    package init(_ failure: FailureFacts) {
        if let status = failure.exitStatus {
            self = status
            return
        }
        self =
            switch failure.code {
            case .connectionClosed: failure.phase == .body ? .partial : .empty
            case .tlsFailed: Self.trust(failure.tlsReason)
            case .badConfiguration: failure.tlsReason == nil ? .usage : .identity
            case .limitExceeded: failure.limit == "maximumCount" ? .redirects : .tooLarge
            default: Self.plain[failure.code] ?? .other
            }
    }

    /// The exit statuses of error codes that determine them alone.
    private static let plain: [SockeyeError.Code: ExitStatus] = [
        .invalidURL: .url, .invalidRequest: .usage, .encodingFailed: .usage, .resolutionFailed: .resolve,
        .connectFailed: .connect, .malformedResponse: .malformed, .unacceptableStatus: .status, .fileFailed: .write,
        .diskFull: .write, .fileExists: .write, .sinkFailed: .write, .bodyFailed: .read, .bodyLengthMismatch: .read,
        .cookieFileFailed: .read, .outOfResources: .resources, .tooManyWaiting: .resources, .timeout: .timeout,
        .redirectRefused: .redirects, .redirectLoop: .redirects, .badContentCoding: .coding,
        .insecureCredentials: .credentials, .authenticationFailed: .credentials, .proxyFailed: .proxy,
        .checksumMismatch: .checksum, .cancelled: .interrupted,
    ]

    private static func trust(_ reason: TLSError.Reason?) -> ExitStatus {
        switch reason {
        case .certificateExpired, .certificateNotYetValid, .selfSigned, .untrustedRoot, .missingIntermediate,
            .hostNameMismatch, .wrongPurpose, .certificateRevoked, .revocationUnknown, .weakCertificate,
            .certificateInvalid, .noCertificate, .evaluationRefused:
            .certificate
        case .pinMismatch: .pin
        default: .handshake
        }
    }
}
