#if DiskCache
import Sockeye
import SockeyeCache
import SockeyeDiskCache

/// The snippet of Cache.md about the store on disk. It is compiled and not run.
struct DiskCacheArticle {
    func overview() throws {
        let store = try DiskCacheStore(at: "/var/cache/app/http", limit: 1 << 30)
        let client = HTTPClient().adding(.cache(store))
        withExtendedLifetime(client) {}
    }
}
#endif
