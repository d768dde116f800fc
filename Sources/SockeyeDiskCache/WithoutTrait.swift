#if !DiskCache
/// A ``/SockeyeCache/CachePolicy/Store`` on disk, unavailable because the package's trait `DiskCache` is off. Without
/// the trait, neither GRDB nor SQLite is resolved or linked.
@available(*, unavailable, message: "enable the package's trait DiskCache; it needs libsqlite3-dev")
public final class DiskCacheStore: Sendable {
    /// Unavailable without the trait.
    public init(at path: String, limit: Int, entryLimit: Int? = nil, countLimit: Int = 100_000) {}
}
#endif
