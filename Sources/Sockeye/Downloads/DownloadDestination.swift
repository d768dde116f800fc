public import SockeyeEngine
import SockeyeHTTP

/// Where a download goes. Folders that are missing are created.
///
/// ```swift
/// "/data/big.iso"                               // replaces a file that is there already
/// .file(path, existing: .fail)
/// .folder("/data/downloads")                    // under the name that the server suggests
/// .decided { response in "/data/\(response.suggestedFileName)" }
/// ```
public struct DownloadDestination: Sendable {
    private enum Place: Sendable {
        case file(String)
        case folder(String)
        case decided(@Sendable (IncomingResponse) async throws -> String)
    }

    private let place: Place
    /// What happens to a file that is there already.
    public let existing: ExistingFilePolicy

    /// A file at this path. A relative one starts from the working directory.
    public static func file(_ path: String, existing: ExistingFilePolicy = .replace) -> DownloadDestination {
        DownloadDestination(place: .file(path), existing: existing)
    }

    /// A file in this folder, with the name that ``IncomingResponse/suggestedFileName`` is.
    public static func folder(_ path: String, existing: ExistingFilePolicy = .keepBoth) -> DownloadDestination {
        DownloadDestination(place: .folder(path), existing: existing)
    }

    /// A file at the path that a closure gives, which sees the head of the response; AFNetworking's `destination:` block.
    ///
    /// - Parameters:
    ///   - existing: What happens to a file that is there already. Default: it is replaced.
    ///   - decide: Must leave the body alone. What it throws fails the download, with
    ///     ``SockeyeError/Code-swift.struct/fileFailed`` if it is not a ``SockeyeError``.
    public static func decided(
        existing: ExistingFilePolicy = .replace,
        by decide: @escaping @Sendable (IncomingResponse) async throws -> String
    ) -> DownloadDestination {
        DownloadDestination(place: .decided(decide), existing: existing)
    }

    /// The path, where no response has a say in it.
    var fixedPath: String? {
        if case .file(let path) = place { path } else { nil }
    }

    /// The path; nil where that takes a response and there is none.
    func path(_ response: IncomingResponse?, to request: RequestIdentity) async throws(SockeyeError) -> String? {
        switch place {
        case .file(let path): return path
        case .folder(let folder):
            let name = response?.suggestedFileName ?? SuggestedFileName.make(nil, url: request.url)
            return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        case .decided(let decide):
            guard let response else { return nil }
            do {
                return try await decide(response)
            } catch {
                throw SockeyeError(.fileFailed, wrapping: error, "no destination was decided on", request: request)
            }
        }
    }
}

extension DownloadDestination: ExpressibleByStringInterpolation {
    /// A file at this path, as ``file(_:existing:)``; one that is there already is replaced.
    public init(stringLiteral path: String) { self = .file(path) }
}
