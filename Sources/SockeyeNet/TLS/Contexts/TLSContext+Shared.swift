import CSockeyeSystem
import Glibc
import Synchronization

extension TLSContext {
    /// The context of a configuration, made at first use; the last few are kept, so that roots are parsed once per
    /// process and not once per connection. A context whose files have changed since is made anew.
    ///
    /// - Parameters:
    ///   - held: one that the caller got before, which is returned as long as its files are the same.
    ///   - isPublicSuffix: as for the initializer; the same for all who call.
    package static func shared(
        for configuration: TLSConfiguration, unless held: TLSContext? = nil,
        isPublicSuffix: (@Sendable (String) -> Bool)? = nil
    ) throws(TLSFailure) -> TLSContext {
        let stamps = FileStamp.all(of: configuration)
        if let held, held.stamps == stamps { return held }
        let isStrict = isPublicSuffix != nil
        let found = cache.withLock { $0.find(configuration, isStrict, stamps) }
        if let found { return found }
        // Outside the lock: two tasks may make the same context, which costs time but does no harm.
        let made = try TLSContext(configuration, isPublicSuffix: isPublicSuffix)
        return cache.withLock { $0.insert(made, isStrict) }
    }

    private static let cache = Mutex(ContextCache())
}

private struct ContextCache: ~Copyable {
    /// The most recently used last.
    private var entries: [(context: TLSContext, isStrict: Bool)] = []
    private static let capacity = 16

    mutating func find(
        _ configuration: TLSConfiguration, _ isStrict: Bool, _ stamps: [FileStamp?]
    ) -> TLSContext? {
        let index = entries.lastIndex { $0.isStrict == isStrict && $0.context.configuration == configuration }
        guard let index else { return nil }
        let entry = entries.remove(at: index)
        guard entry.context.stamps == stamps else { return nil }
        entries.append(entry)
        return entry.context
    }

    /// Keeps the first of two equal ones, because sessions belong to a context.
    mutating func insert(_ context: TLSContext, _ isStrict: Bool) -> TLSContext {
        if let found = find(context.configuration, isStrict, context.stamps) { return found }
        if entries.count >= Self.capacity { entries.removeFirst() }
        entries.append((context, isStrict))
        return context
    }
}

/// What tells a changed file from an unchanged one without reading it.
struct FileStamp: Sendable, Equatable {
    private let device: UInt
    private let inode: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    private init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
        size = status.st_size
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }

    /// One stamp per file that the configuration names, in a fixed order.
    static func all(of configuration: TLSConfiguration) -> [FileStamp?] {
        var pems: [TLSConfiguration.PEM] = configuration.roots.sources.compactMap { source in
            if case .pem(let pem) = source { pem } else { nil }
        }
        if let identity = configuration.identity { pems += [identity.certificateChain, identity.privateKey] }
        var paths = pems.compactMap { pem -> String? in
            if case .file(let path) = pem.source { path } else { nil }
        }
        switch configuration.revocation.lists?.source {
        case .file(let path)?: paths.append(path)
        case .folder(let path)?: paths += (try? RevocationLists.files(in: path)) ?? [path]
        case nil: break
        }
        return paths.map(FileStamp.init)
    }
}
