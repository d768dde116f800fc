#if !DiskCache
/// A ``CachePolicy/Store`` on disk, which is not to be had where the package's trait `DiskCache` is off: without it, neither GRDB
/// nor SQLite is resolved or linked.
@available(*, unavailable, message: "enable the package's trait DiskCache; it needs libsqlite3-dev")
public final class DiskCacheStore: Sendable {
    /// Not to be had without the trait.
    public init(at path: String, limit: Int, entryLimit: Int? = nil, countLimit: Int = 100_000) {}
}
#endif
