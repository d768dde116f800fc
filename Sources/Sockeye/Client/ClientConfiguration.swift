public import SockeyeEngine
public import SockeyeNet

/// The settings of an ``HTTPClient``. The defaults suit server programs.
public struct ClientConfiguration: Sendable {
    /// The settings that the module SockeyeEngine reads: all except interceptors, monitors and ``runningTasks``.
    package var engine = EngineConfiguration()

    /// The TLS settings. By default the client trusts the system's roots, verifies names and requires TLS 1.2 or later.
    public var tls: TLSOptions {
        get { engine.tls }
        set { engine.tls = newValue }
    }

    /// TLS settings that replace ``tls`` as a whole for some hosts.
    ///
    /// A key is a host name or address (`api.example.com`), or a pattern for all names below a domain
    /// (`*.internal.example`, at any depth, but not `internal.example` itself). The exact name takes precedence, then
    /// the longest pattern. Default: empty.
    ///
    /// Use this property to send a client certificate to certain hosts only. The ``TLSOptions/identity`` of ``tls``, in
    /// contrast, goes to every server that asks for a certificate. The exceptions are redirects to another origin, and
    /// calls of a scope (a client made with `scoped`) to an origin that is not one of the scope's.
    ///
    /// A malformed pattern fails every request with ``SockeyeError/Code-swift.struct/badConfiguration``.
    public var tlsOverrides: [String: TLSOptions] {
        get { engine.tlsOverrides }
        set { engine.tlsOverrides = newValue }
    }

    /// The deadlines of every call. A scope or a call can override them.
    public var timeouts: Timeouts {
        get { engine.timeouts }
        set { engine.timeouts = newValue }
    }

    /// The limits on the size of responses.
    public var limits: ResponseLimits {
        get { engine.limits }
        set { engine.limits = newValue }
    }

    /// The faults that the client tolerates in responses. Default: none.
    public var tolerances: ResponseTolerances {
        get { engine.tolerances }
        set { engine.tolerances = newValue }
    }

    /// The limits on the number of connections and on the time for which they are kept. Ignored if the client uses a
    /// shared ``ConnectionPool``, which has its own limits.
    public var pool: PoolOptions {
        get { engine.pool }
        set { engine.pool = newValue }
    }

    /// The options of sockets.
    public var socket: SocketOptions {
        get { engine.socket }
        set { engine.socket = newValue }
    }

    /// True if the client requests and decodes compressed content. Default: true.
    ///
    /// The codings are gzip and deflate, plus br and zstd with the package's traits `Brotli` and `Zstandard`. If a
    /// request sets Accept-Encoding or Range itself, its response is not decoded. There is one exception: the response
    /// is decoded if the request sets ``OutgoingRequest/Options/decompresses`` to true, Accept-Encoding to `identity`,
    /// and no Range.
    public var decompresses: Bool {
        get { engine.decompresses }
        set { engine.decompresses = newValue }
    }

    /// The User-Agent of requests that do not set the field. Nil sends none. Default: `sockeye`.
    public var userAgent: String? {
        get { engine.userAgent }
        set { engine.userAgent = newValue }
    }

    /// Addresses to use instead of asking DNS, by `host` or `host:port`, like curl's `--resolve`. Default: empty.
    ///
    /// Hosts are compared as in URLs: in lower case, as A-labels, without a final dot, IPv6 addresses in their shortest
    /// form. An IPv6 address with a port needs brackets: `[::1]:443`. An address with port 0 gets the port of the
    /// request. Requests to a host with an empty list fail as if DNS did not know the host.
    ///
    /// If you map `localhost` or a loopback address to an address of another machine, the client no longer treats that
    /// host as this machine. It then does not send credentials and Secure cookies to that host in plain text.
    public var hostOverrides: [String: [EndpointAddress]] {
        get { engine.hostOverrides }
        set { engine.hostOverrides = newValue }
    }

    /// The resolver of host names. Default: nil, the system's `getaddrinfo` on separate threads.
    public var resolver: (any NameResolver)? {
        get { engine.resolver }
        set { engine.resolver = newValue }
    }

    /// The longest time for which the client keeps the resolver's answers. Default: 30 s. Nil keeps no answers, so that
    /// each connection resolves the name; simultaneous look-ups of a name are merged even then.
    ///
    /// An answer with a shorter lifetime (TTL) is kept for that time only. Expired addresses are used for up to ten
    /// more minutes while a refresh fails or takes more than 1.8 s (RFC 8767), unless this property is nil. A refresh
    /// drops them if it finds that the name does not exist or has no address.
    public var resolverCacheLifetime: Duration? {
        get { engine.resolverCacheLifetime }
        set { engine.resolverCacheLifetime = newValue }
    }

    /// The order in which the client tries the addresses of a name. Default: ``EndpointAddress/Order/asResolved``.
    ///
    /// ``EndpointAddress/Order/shuffled`` and ``EndpointAddress/Order/rotated`` spread connections over the servers of
    /// a name. The order does not apply to ``hostOverrides`` and IP literals.
    public var addressOrder: EndpointAddress.Order {
        get { engine.addressOrder }
        set { engine.addressOrder = newValue }
    }

    /// The addresses that the client may connect to. Default: all.
    ///
    /// Each address is checked after resolving and before connecting, so that a name cannot lead the client to a
    /// forbidden address. Use ``EndpointAddress/Policy/publicOnly`` for URLs that users supply.
    public var addressPolicy: EndpointAddress.Policy {
        get { engine.addressPolicy }
        set { engine.addressPolicy = newValue }
    }

    /// The selection of a proxy for each request. Default: no proxy.
    public var proxy: Proxy.Selection {
        get { engine.proxy }
        set { engine.proxy = newValue }
    }

    /// True if the user name and password of a URL may be sent over http to other machines. Default: false.
    ///
    /// The client sends them as Basic credentials (RFC 7617), unless the method is TRACE or the caller sets
    /// Authorization. If this property is false, a request that would send them over http to another machine fails with
    /// ``SockeyeError/Code-swift.struct/insecureCredentials``. For credentials that a policy adds, only the policy's
    /// own setting counts; see ``AuthenticationPolicy``.
    public var allowsPlaintextCredentials: Bool {
        get { engine.allowsPlaintextCredentials }
        set { engine.allowsPlaintextCredentials = newValue }
    }

    /// Interceptors of every call, added to the default ``RedirectPolicy``. Default: none. An encoded configuration
    /// does not contain them.
    public var interceptors: [any Interceptor] = []

    /// Monitors that receive the events of calls and tasks. Default: none. An encoded configuration does not contain
    /// them.
    public var monitors: [any EventMonitor] = []

    /// The maximum number of tasks (`TransferTask` of SockeyeTransfers) that run at a time, at least 1. Default: nil,
    /// no limit.
    ///
    /// Further tasks wait until another one ends. Calls outside tasks do not count.
    public var runningTasks: Int?

    /// The number of poller threads (threads that wait for socket events) that only this client uses, at most 64.
    /// Default: 0.
    ///
    /// With 0 the client uses the thread that all such clients of the process share. Ignored if the client uses a
    /// shared ``ConnectionPool``, which has its own threads.
    public var pollerThreads: Int {
        get { engine.pollerThreads }
        set { engine.pollerThreads = newValue }
    }

    /// Creates the default configuration.
    public init() {}

    /// Creates the default configuration with some settings replaced.
    public init(
        tls: TLSOptions = TLSOptions(), proxy: Proxy.Selection = .none, timeouts: Timeouts = Timeouts(),
        limits: ResponseLimits = ResponseLimits(), pool: PoolOptions = PoolOptions()
    ) {
        self.tls = tls
        self.proxy = proxy
        self.timeouts = timeouts
        self.limits = limits
        self.pool = pool
    }
}
