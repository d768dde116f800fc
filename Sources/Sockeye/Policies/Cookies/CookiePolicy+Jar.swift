package import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP
import Synchronization

extension CookiePolicy {
    /// Cookies that clients share through a ``CookiePolicy``, with the rules of RFC 6265bis.
    ///
    /// Looking at cookies and changing them takes a short lock and never waits; only files are read and written one after the
    /// other, which is what the actor is for. Memory is bounded by ``ClientCookie/Limits``. A cookie is kept for 400 days at most,
    /// and one without a date as long as the jar.
    ///
    /// Who may set cookies for which domain is told by a list of public suffixes, which is part of the library: nobody sets
    /// any for all of `co.uk` or `github.io`. Secure cookies come from and go to https, and to this machine (`localhost`,
    /// names below it, 127.0.0.0/8 and ::1), as browsers and curl have it; `trustsLoopback` turns that off. A proxy on
    /// another machine that can read such a request neither gets secure cookies nor sets them. SameSite keeps nothing back; see
    /// ``ClientCookie/SameSite``.
    public actor Jar {
        private struct State {
            var store: CookieStore
            /// The field that ``CookiePolicy/Jar/line`` holds.
            var shared: CachedCookieField?
            /// The last field that the seqlock did not have; asked for twice in a row, it takes its place.
            var candidate: CachedCookieField?
        }

        private nonisolated let state: Mutex<State>
        /// A seqlock with the Cookie field that most requests get: reading it takes no lock.
        private nonisolated let line = FieldLineSeqlock()
        /// Whether there may be cookies, so that requests need not take the lock to find none.
        private nonisolated let mayHaveCookies = Atomic(false)
        private nonisolated let time: TimeSource

        /// Makes an empty jar.
        ///
        /// - Parameters:
        ///   - limits: How much it holds and sends.
        ///   - trustsLoopback: Whether http to this machine is as good as https. Default true.
        public init(limits: ClientCookie.Limits = ClientCookie.Limits(), trustsLoopback: Bool = true) {
            self.init(limits: limits, trustsLoopback: trustsLoopback, time: .system)
        }

        package init(limits: ClientCookie.Limits = ClientCookie.Limits(), trustsLoopback: Bool = true, time: TimeSource)
        {
            state = Mutex(State(store: CookieStore(limits: limits, trustsLoopback: trustsLoopback)))
            self.time = time
        }

        // MARK: Looking

        /// All cookies, the oldest first, those that are over but not removed yet included.
        public nonisolated var cookies: [ClientCookie] { state.withLock(\.store.cookies) }

        /// How many there are.
        public nonisolated var count: Int { state.withLock(\.store.count) }

        /// The cookies that a request for this URL gets, in the order in which they are sent. More of them than fit into a
        /// request are listed, too.
        public nonisolated func cookies(for url: HTTPURL) -> [ClientCookie] {
            changing { $0.matches(url) { time.unixTime } }
        }

        // MARK: Changing

        /// Stores a cookie, instead of one with the same name, domain and path.
        ///
        /// - Returns: Whether it is stored; one that is over deletes what it would replace.
        @discardableResult
        public nonisolated func set(_ cookie: ClientCookie) -> Bool {
            let now = time.unixTime
            return changing { $0.insert(cookie, at: now) }
        }

        /// Stores what the value of one Set-Cookie field says, as if a response from `url` had it.
        ///
        /// - Returns: The cookie; nil where the field deletes one.
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

        /// Removes the cookie with the same name, domain and path.
        ///
        /// - Returns: Whether there was one.
        @discardableResult
        public nonisolated func remove(_ cookie: ClientCookie) -> Bool {
            changing { $0.remove(cookie) }
        }

        /// Removes all cookies.
        public nonisolated func removeAll() {
            changing { $0.removeAll { _ in true } }
        }

        /// Removes the cookies for which a closure says so. What it throws is thrown, and nothing is removed then.
        public nonisolated func removeAll(where isUnwanted: (ClientCookie) throws -> Bool) rethrows {
            // The closure may use the jar, so it is not called under the lock.
            let unwanted = try cookies.filter(isUnwanted)
            changing { store in
                for cookie in unwanted { store.remove(cookie) }
            }
        }

        /// Removes the cookies that are over. They are not sent either way, and make room when it is needed.
        public nonisolated func removeExpired() {
            let now = time.unixTime
            changing { $0.removeExpired(at: now) }
        }

        // MARK: Requests

        nonisolated var isEmpty: Bool { !mayHaveCookies.load(ordering: .acquiring) }

        /// Every access to the store: first notes the uses that the seqlock has counted, and in the end withdraws its field
        /// if that has changed.
        private nonisolated func changing<Result: Sendable>(
            _ body: (inout CookieStore) -> sending Result
        ) -> sending Result {
            state.withLock { state in
                changing(&state) { body(&$0.store) }
            }
        }

        private nonisolated func changing<Result: Sendable>(
            _ state: inout State, _ body: (inout State) -> sending Result
        ) -> sending Result {
            if let field = state.shared, line.takeNote() { state.store.noteUse(of: field) }
            defer {
                if let field = state.shared, !state.store.keeps(field) {
                    line.withdraw()
                    state.shared = nil
                }
                mayHaveCookies.store(state.store.count > 0, ordering: .releasing)
            }
            return body(&state)
        }

        nonisolated func field(
            for url: HTTPURL, besides own: [String], isExposed: Bool = false, at time: TimeSource
        ) -> String? {
            changing { $0.field(for: url, besides: own, isExposed: isExposed) { time.unixTime } }
        }

        /// Adds the cookies for a request that has none of its own.
        nonisolated func addField(to fields: inout FieldLineBuffer, for url: HTTPURL, at time: TimeSource) {
            if line.add(to: &fields, for: url, at: { time.unixTime }) { return }
            addFieldUnderLock(to: &fields, for: url, at: time)
        }

        @inline(never)
        private nonisolated func addFieldUnderLock(
            to fields: inout FieldLineBuffer, for url: HTTPURL, at time: TimeSource
        ) {
            state.withLock { state in
                changing(&state) { state in
                    let (field, made) = state.store.line(for: url) { time.unixTime }
                    if let field { fields.append(field) }
                    if let made { share(made, for: url, &state) }
                }
            }
        }

        /// Puts a field into the seqlock, in place of another, where that pays.
        private nonisolated func share(_ field: CachedCookieField, for url: HTTPURL, _ state: inout State) {
            let isNext = state.shared.map { !state.store.keeps($0) } ?? true || state.candidate === field
            state.candidate = isNext ? nil : field
            guard isNext, line.share(field.line, field.prefix, of: url, until: field.end) else { return }
            state.shared = field
        }

        nonisolated func store(_ fields: [Bytes], from url: HTTPURL, isExposed: Bool, at time: TimeSource) {
            let now = time.unixTime
            changing { store in
                for field in fields.prefix(max(0, store.limits.cookiesPerResponse)) {
                    // A server that sets what it may not is no error of the call.
                    _ = try? store.store(Array(field)[...], from: url, isExposed: isExposed, at: now)
                }
            }
        }

        // MARK: Files

        /// Writes the cookies to a file, atomically: whoever reads it sees what was there before, or all of this. It is for
        /// its owner only (0600), and on the disk when the call returns.
        ///
        /// - Parameters:
        ///   - path: Where; what is there is replaced. Its folder must exist.
        ///   - format: Default: Netscape's, which other programs read.
        ///   - includesSession: Whether cookies without a date are written as well. Default false.
        /// - Returns: How many cookies were written.
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

        /// Adds the cookies of a file to those that are there.
        ///
        /// Each is checked as one that is made by hand; what cannot be read, or may not be, is left out and counted.
        ///
        /// - Parameters:
        ///   - path: The file.
        ///   - format: Default nil: whichever it is.
        /// - Throws: ``SockeyeError/Code-swift.struct/cookieFileFailed`` where the file cannot be read or is no JSON, and
        ///   ``SockeyeError/Code-swift.struct/limitExceeded`` past 64 MiB. Nothing is added then.
        @discardableResult
        public func load(from path: String, as format: CookiePolicy.Jar.FileFormat? = nil) throws(SockeyeError)
            -> CookiePolicy.Jar.FileSummary
        {
            let (read, unreadable) = try CookieFile.cookies(try CookieFile.read(path), as: format, path: path)
            let now = time.unixTime
            let loaded = changing { store in
                read.count { store.insert($0, at: now) }
            }
            return CookiePolicy.Jar.FileSummary(loaded: loaded, expired: read.count - loaded, unreadable: unreadable)
        }
    }
}

extension CookiePolicy.Jar: CustomStringConvertible, CustomReflectable {
    /// How many cookies there are, and nothing of them.
    public nonisolated var description: String { "a jar of \(count) cookies" }

    /// The description alone, so that dumps show no values either.
    public nonisolated var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
