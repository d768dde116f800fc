#if AsyncDNS
import CAres
import Glibc

/// Questions to name servers that are under way (RFC 1035), as c-ares asks them: which servers, how often, by UDP or by TCP,
/// with which search domains (resolv.conf(5)), after a look into `/etc/hosts`.
///
/// Neither blocks nor waits, and is not thread-safe: its owner makes one call at a time and takes what came of each from
/// ``takeEvents()``. It opens sockets and never closes those that it has shown: that is the owner's, who may watch them.
@safe package final class NameServerChannel {
    /// What differs from the system's files.
    package struct Settings: Sendable, Hashable {
        /// Addresses of name servers with their ports, as `192.0.2.1:53` or `[2001:db8::1]:53`; none: those of the file.
        package var servers: [String] = []
        /// Domains that short names are looked up in; nil: those of the file.
        package var searchDomains: [String]?
        /// How long the first answer of a server is waited for; doubled for each round through the servers.
        package var milliseconds = 5_000
        /// How many rounds through the servers.
        package var attempts = 2
        package var path = "/etc/resolv.conf"
        /// Whether the environment variable `CARES_HOSTS` names the file of hosts.
        package var readsHostsVariable = false

        package init() {}
    }

    /// The addresses of a name.
    package struct Answer: Sendable, Hashable {
        /// In the order of RFC 6724, each once, with port 0.
        package let addresses: [SystemAddress]
        /// For how many seconds they may be kept: the least of all records on the way to them. 0 from `/etc/hosts`.
        package let timeToLive: Int
    }

    /// Why a name has no addresses.
    package enum Failure: Error, Sendable, Hashable {
        /// The name does not exist (NXDOMAIN).
        case notFound
        /// The name exists and has no address.
        case noData
        /// The server could not answer (SERVFAIL), or would not (REFUSED).
        case serverFailure, refused
        /// No server answered in time.
        case unanswered
        /// No server could be reached.
        case unreachable
        /// What a server sent is no answer.
        case malformed
        /// Nobody can ask for such a name.
        case invalidName
        /// The channel was told to stop.
        case cancelled
        case outOfResources(SystemError)
        case other(code: Int32, text: String)
    }

    /// What came of a call.
    package struct Events {
        /// Questions that are settled, by the number that they were asked with.
        package var answers: [(question: UInt64, result: Result<Answer, Failure>)] = []
        /// Sockets to be watched from now on, and whether they are of TCP. Some may be among `retired` already.
        package var opened: [(socket: Int32, isStream: Bool)] = []
        /// Sockets that were shown before and are not used any more: to be closed.
        package var retired: [Int32] = []

        package var isEmpty: Bool { answers.isEmpty && opened.isEmpty && retired.isEmpty }
    }

    private let channel: ares_channel
    private let sockets: NameServerSockets
    private let readsHostsVariable: Bool
    private let milliseconds: Int

    package init(_ settings: Settings) throws(Failure) {
        _ = Self.library
        sockets = NameServerSockets()
        readsHostsVariable = settings.readsHostsVariable
        milliseconds = settings.milliseconds
        unsafe channel = try Self.open(settings, sockets)
        unsafe sockets.serve(channel)
        guard !settings.servers.isEmpty else { return }
        let status = unsafe ares_set_servers_ports_csv(channel, settings.servers.joined(separator: ","))
        guard status == 0 else { throw sockets.failure(ofStatus: status) }
    }

    deinit {
        unsafe ares_destroy(channel)
        for socket in sockets.takeEvents().retired { SystemSocket.close(socket) }
    }

    /// Asks for the addresses of a name. The answer comes with the events of this call or of a later one.
    ///
    /// - Parameter name: Without a NUL, where C would stop reading.
    package func ask(for name: String, as question: UInt64) {
        sockets.beginCall()
        var hints = ares_addrinfo_hints()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = readsHostsVariable ? ARES_AI_ENVHOSTS : 0
        let asked = unsafe Unmanaged.passRetained(NameServerQuestion(number: question, sockets: sockets))
        unsafe ares_getaddrinfo(
            channel, name, nil, &hints,
            { asked, status, _, list in
                // Called once for each question, at the latest when the channel is freed.
                let asked = unsafe Unmanaged<NameServerQuestion>.fromOpaque(asked!).takeRetainedValue()
                unsafe asked.sockets.settle(asked.number, status, list)
                unsafe ares_freeaddrinfo(list)
            }, asked.toOpaque())
    }

    /// Reads or writes what a socket is ready for.
    ///
    /// - Returns: Whether more may be there: so many packets came that others should have their turn first.
    package func process(_ socket: Int32, reads: Bool) -> Bool {
        sockets.beginCall()
        guard reads else {
            unsafe ares_process_fd(channel, -1, socket)
            return false
        }
        // Of a TCP connection c-ares reads one piece a call, and of UDP what is there.
        var reads = 0
        repeat {
            reads = sockets.readCount
            unsafe ares_process_fd(channel, socket, -1)
        } while sockets.mayRead(socket) && sockets.readCount > reads
        return sockets.isOverBudget
    }

    /// Repeats or gives up what has not been answered in time.
    package func processTimeouts() {
        sockets.beginCall()
        unsafe ares_process_fd(channel, -1, -1)
    }

    /// In how many milliseconds ``processTimeouts()`` is due, at the latest.
    package var untilTimeout: Int {
        var longest = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        var next = timeval()
        guard let time = unsafe ares_timeout(channel, &longest, &next)?.pointee else { return milliseconds }
        // It rounds down, and nothing is due a moment too early.
        return time.tv_sec * 1_000 + time.tv_usec / 1_000 + 1
    }

    /// Gives all questions up, and with them all sockets.
    package func cancelAll() {
        sockets.beginCall()
        unsafe ares_cancel(channel)
    }

    package func takeEvents() -> Events { sockets.takeEvents() }

    /// Global state of c-ares, set up once (ares_library_init(3)); on Linux it does nothing that would have to be undone.
    private static let library = ares_library_init(ARES_LIB_INIT_ALL)

    private static func open(_ settings: Settings, _ sockets: NameServerSockets) throws(Failure) -> ares_channel {
        var options = unsafe ares_options()
        unsafe options.flags = ARES_FLAG_NOALIASES
        unsafe options.timeout = Int32(clamping: settings.milliseconds)
        unsafe options.tries = Int32(clamping: settings.attempts)
        unsafe options.resolvconf_path = strdup(settings.path)
        unsafe options.sock_state_cb = { sockets, socket, reads, writes in
            guard reads != 0 || writes != 0 else { return }
            unsafe NameServerSockets.at(sockets).show(socket)
        }
        unsafe options.sock_state_cb_data = sockets.pointer
        var mask = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_RESOLVCONF | ARES_OPT_SOCK_STATE_CB
        var domains = unsafe (settings.searchDomains ?? []).map { unsafe strdup($0) }
        defer {
            unsafe free(options.resolvconf_path)
            while let text = unsafe domains.popLast() { unsafe free(text) }
        }
        var channel: ares_channel?
        // It copies all of this.
        let status = unsafe domains.withUnsafeMutableBufferPointer { domains in
            if settings.searchDomains != nil {
                mask |= ARES_OPT_DOMAINS
                unsafe options.domains = domains.baseAddress
                unsafe options.ndomains = Int32(domains.count)
            }
            return unsafe ares_init_options(&channel, &options, mask)
        }
        guard status == 0, let channel = unsafe channel else { throw sockets.failure(ofStatus: status) }
        return unsafe channel
    }
}
#endif
