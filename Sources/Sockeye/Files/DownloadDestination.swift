public import SockeyeEngine
import SockeyeHTTP

/// The destination of a download. Missing folders are created.
///
/// ```swift
/// // replaces an existing file
/// "/data/big.iso"
/// // fails if the file exists
/// .file(path, existing: .fail)
/// // under the name that the server suggests
/// .folder("/data/downloads")
/// .decided { response in "/data/\(response.suggestedFileName)" }
/// ```
public struct DownloadDestination: Sendable {
    private enum Place: Sendable {
        case file(String)
        case folder(String)
        case decided(@Sendable (IncomingResponse) async throws -> String)
    }

    private let place: Place
    /// The action if the destination exists already.
    public let existing: ExistingFilePolicy

    /// A file at this path. A relative path is relative to the working directory.
    public static func file(_ path: String, existing: ExistingFilePolicy = .replace) -> DownloadDestination {
        DownloadDestination(place: .file(path), existing: existing)
    }

    /// A file in this folder, named by ``IncomingResponse/suggestedFileName``.
    public static func folder(_ path: String, existing: ExistingFilePolicy = .keepBoth) -> DownloadDestination {
        DownloadDestination(place: .folder(path), existing: existing)
    }

    /// A file at the path that a closure returns for the head of the response. The counterpart of AFNetworking's
    /// `destination:` block.
    ///
    /// - Parameters:
    ///   - existing: The action if the destination exists already. Default: replace it.
    ///   - decide: Returns the path. It must not read the body. If it throws, the download fails. A ``SockeyeError``
    ///     stays as it is, and a `CancellationError` becomes ``SockeyeError/Code-swift.struct/cancelled``. Any other
    ///     error is wrapped in ``SockeyeError/Code-swift.struct/fileFailed``.
    public static func decided(
        existing: ExistingFilePolicy = .replace,
        by decide: @escaping @Sendable (IncomingResponse) async throws -> String
    ) -> DownloadDestination {
        DownloadDestination(place: .decided(decide), existing: existing)
    }

    /// The path if it does not depend on a response; otherwise nil.
    package var fixedPath: String? {
        if case .file(let path) = place { path } else { nil }
    }

    /// Returns the path; nil if the closure must decide and there is no response.
    package func path(_ response: IncomingResponse?, to request: RequestIdentity) async throws(SockeyeError) -> String?
    {
        switch place {
        case .file(let path): return path
        case .folder(let folder):
            let name = response?.suggestedFileName ?? SuggestedFileName.make(nil, url: request.url)
            // An empty path means the working directory, not the root of the file system.
            if folder.isEmpty { return name }
            return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        case .decided(let decide):
            guard let response else { return nil }
            do {
                return try await decide(response)
            } catch {
                throw SockeyeError(
                    .fileFailed, wrapping: error, "the closure that decides on the destination threw an error",
                    request: request)
            }
        }
    }
}

extension DownloadDestination: ExpressibleByStringInterpolation {
    /// A file at this path, like ``file(_:existing:)``. An existing file is replaced.
    public init(stringLiteral path: String) { self = .file(path) }
}
