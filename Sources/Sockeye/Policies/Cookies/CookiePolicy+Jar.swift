package import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP
import Synchronization

extension CookiePolicy {
    /// The cookie jar of a ``CookiePolicy``. Several clients may share a jar. Follows RFC 6265bis.
    ///
    /// Reading and changing cookies takes a short lock and never suspends; only reading and writing files is
    /// serialized by the actor. Memory is bounded by ``ClientCookie/Limits``. An expiry date more than 400 days ahead
    /// is shortened to 400 days. A cookie without an expiry date is kept as long as the jar exists.
    ///
    /// A built-in list of public suffixes keeps hosts from setting cookies for all of `co.uk` or `github.io`. The
    /// SameSite attribute withholds no cookies; see ``ClientCookie/SameSite``.
    ///
    /// Secure cookies are sent and accepted over https. As in browsers, they are also sent and accepted over http if
    /// the server is this machine: `localhost`, names below it, 127.0.0.0/8 and ::1. This does not apply if
    /// `trustsLoopback` is false, or if the request leaves this machine through a proxy or by
    /// ``ClientConfiguration/hostOverrides``.
    ///
    /// A cookie belongs to a host name. Neither the port (RFC 6265bis 8.5) nor a unix-domain socket matters. To
    /// separate servers that share a host name, such as several daemons behind `localhost`, use a jar or a host name
    /// for each.
    public actor Jar {
        private nonisolated let store: Mutex<CookieStore>
        /// False if the jar is empty, so that requests need not take the lock.
        private nonisolated let mayHaveCookies = Atomic(false)
        private nonisolated let time: TimeSource

        /// Creates an empty jar.
        ///
        /// - Parameters:
        ///   - limits: The limits on stored and sent cookies.
        ///   - trustsLoopback: Whether http to this machine counts as secure. Default true.
        public init(limits: ClientCookie.Limits = ClientCookie.Limits(), trustsLoopback: Bool = true) {
            self.init(limits: limits, trustsLoopback: trustsLoopback, time: .system)
        }

        package init(limits: ClientCookie.Limits = ClientCookie.Limits(), trustsLoopback: Bool = true, time: TimeSource)
        {
            store = Mutex(CookieStore(limits: limits, trustsLoopback: trustsLoopback))
            self.time = time
        }

        // MARK: Looking

        /// All cookies, the oldest first, including expired ones that are not removed yet.
        public nonisolated var cookies: [ClientCookie] { store.withLock(\.cookies) }

        /// The number of cookies.
        public nonisolated var count: Int { store.withLock(\.count) }

        /// Returns the cookies for requests to this URL, in the order in which they are sent.
        ///
        /// A request may carry fewer cookies: the limits on the cookies of one request do not apply to this method.
        public nonisolated func cookies(for url: HTTPURL) -> [ClientCookie] {
            changing { $0.matches(url) { time.unixTime } }
        }

        // MARK: Changing

        /// Stores a cookie. It replaces a cookie with the same name, domain, path and ``ClientCookie/isHostOnly``.
        ///
        /// - Returns: True if the cookie was stored; false if it is expired or the limits evict it at once. An expired
        ///   cookie deletes the cookie that it would replace.
        @discardableResult
        public nonisolated func set(_ cookie: ClientCookie) -> Bool {
            let now = time.unixTime
            return changing { $0.insert(cookie, at: now) }
        }

        /// Stores the cookie of a Set-Cookie field value, as if received in a response from `url`.
        ///
        /// - Returns: The stored cookie; nil in the cases in which ``set(_:)`` returns false.
        /// - Throws: ``ClientCookie/Fault``.
        @discardableResult
        public nonisolated func set(_ setCookie: String, from url: HTTPURL) throws(ClientCookie.Fault) -> ClientCookie?
        {
            let now = time.unixTime
            let outcome = changing { store in
                Result { () throws(ClientCookie.Fault) in
                    try store.store(Array(setCookie.utf8)[...], from: url, at: now)
                }
            }
            return try outcome.get()
        }

        /// Removes the cookie with the same name, domain, path and ``ClientCookie/isHostOnly``.
        ///
        /// - Returns: True if the jar had such a cookie.
        @discardableResult
        public nonisolated func remove(_ cookie: ClientCookie) -> Bool {
            changing { $0.remove(cookie) }
        }

        /// Removes all cookies.
        public nonisolated func removeAll() {
            changing { $0.removeAll { _ in true } }
        }

        /// Removes the cookies for which a closure returns true. If the closure throws, no cookie is removed.
        public nonisolated func removeAll(where isUnwanted: (ClientCookie) throws -> Bool) rethrows {
            // The closure may use the jar, so it is not called while the lock is held.
            let unwanted = try cookies.filter(isUnwanted)
            changing { store in
                // A cookie that was replaced meanwhile stays.
                let stored = Set(store.cookies)
                for cookie in unwanted where stored.contains(cookie) { store.remove(cookie) }
            }
        }

        /// Removes expired cookies. Calling it is optional: expired cookies are never sent, and the jar itself removes
        /// them when a cookie is set.
        public nonisolated func removeExpired() {
            let now = time.unixTime
            changing { $0.removeExpired(at: now) }
        }

        // MARK: Requests

        nonisolated var isEmpty: Bool { !mayHaveCookies.load(ordering: .acquiring) }

        /// Accesses the store under its lock, and then updates `mayHaveCookies`.
        private nonisolated func changing<Result: Sendable>(
            _ body: (inout CookieStore) -> sending Result
        ) -> sending Result {
            store.withLock { store in
                defer { mayHaveCookies.store(store.count > 0, ordering: .releasing) }
                return body(&store)
            }
        }

        /// Returns the value of the Cookie field: the jar's cookies for the URL, followed by the caller's fields.
        ///
        /// - Parameters:
        ///   - own: The values of the caller's Cookie fields.
        ///   - isExposed: True if a request to a loopback host may leave this machine: through a proxy, or because a
        ///     host override gives the host another address. Then http is not a secure channel.
        /// - Returns: The value; nil if the request needs no change.
        nonisolated func field(
            for url: HTTPURL, besides own: [String], isExposed: Bool = false, at time: TimeSource
        ) -> String? {
            changing { $0.field(for: url, besides: own, isExposed: isExposed) { time.unixTime } }
        }

        /// Adds the cookies to a request without a Cookie field of its own.
        nonisolated func addField(to fields: inout FieldLineBuffer, for url: HTTPURL, at time: TimeSource) {
            changing { store in
                // Copies the field under the lock. Returning a reference to its bytes would be slower, because all
                // threads would then modify the same reference count.
                store.withLine(for: url, at: { time.unixTime }) { fields.append($0) }
            }
        }

        nonisolated func store(_ fields: [Bytes], from url: HTTPURL, isExposed: Bool, at time: TimeSource) {
            let now = time.unixTime
            changing { store in
                for field in fields.prefix(max(0, store.limits.cookiesPerResponse)) {
                    // An invalid or forbidden cookie in a response is not an error of the call.
                    _ = try? store.store(Array(field)[...], from: url, isExposed: isExposed, at: now)
                }
            }
        }

        // MARK: Files

        /// Writes the cookies that are not expired to a file that only its owner can read (0600).
        ///
        /// An existing file is replaced atomically. The file is on disk when the method returns.
        ///
        /// - Parameters:
        ///   - path: The file. Its folder must exist.
        ///   - format: Default: Netscape's, which other programs read.
        ///   - includesSession: Whether cookies without an expiry date are written as well. Default false.
        /// - Returns: The number of cookies written.
        /// - Throws: ``SockeyeError/Code-swift.struct/cookieFileFailed``.
        @discardableResult
        public func save(
            to path: String, as format: CookiePolicy.Jar.FileFormat = .netscape, includesSession: Bool = false
        ) throws(SockeyeError) -> Int {
            let now = time.unixTime
            let kept = cookies.filter { cookie in
                cookie.expiration.map { $0 > now } ?? includesSession
            }
            try CookieFile.write(kept, as: format, to: path)
            return kept.count
        }

        /// Adds the cookies of a file to the jar.
        ///
        /// Each cookie is checked like a cookie that the caller creates. Invalid cookies are skipped and counted.
        ///
        /// - Parameters:
        ///   - path: The file.
        ///   - format: Default nil: detected from the content.
        /// - Throws: ``SockeyeError/Code-swift.struct/cookieFileFailed`` if the file cannot be read, or if its format
        ///   is JSON and its content is not a JSON array. ``SockeyeError/Code-swift.struct/limitExceeded`` if the file
        ///   exceeds 64 MiB. In all these cases no cookie is added.
        @discardableResult
        public func load(from path: String, as format: CookiePolicy.Jar.FileFormat? = nil) throws(SockeyeError)
            -> CookiePolicy.Jar.FileSummary
        {
            let (read, unreadable) = try CookieFile.cookies(try CookieFile.read(path), as: format, path: path)
            let now = time.unixTime
            let loaded = changing { store in
                read.count { store.insert($0, at: now) }
            }
            let expired = read.count { $0.isExpired(at: now) }
            return CookiePolicy.Jar.FileSummary(loaded: loaded, expired: expired, unreadable: unreadable)
        }
    }
}

extension CookiePolicy.Jar: CustomStringConvertible, CustomReflectable {
    /// The number of cookies, without their names and values.
    public nonisolated var description: String { "a jar of \(count) cookies" }

    /// Only the description, so that dumps show no values either.
    public nonisolated var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
