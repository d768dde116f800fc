public import SockeyeEngine
public import SockeyeNet

/// How a client behaves; a plain value. The defaults are meant to be right for a service.
public struct ClientConfiguration: Sendable {
    /// The part of it that is the engine's.
    package var engine = EngineConfiguration()

    /// Whom TLS trusts, and how. Default: the system's roots, names verified, TLS 1.2 or later.
    public var tls: TLSOptions {
        get { engine.tls }
        set { engine.tls = newValue }
    }

    /// TLS for some hosts instead of ``tls``, as a whole: by name or address (`api.example.com`), or for all names below one
    /// (`*.internal.example`, of whatever depth, but not `internal.example` itself). The exact name counts first, then the
    /// longest pattern. Default none.
    ///
    /// So a client certificate can be kept to the hosts that it is meant for: the ``TLSOptions/identity`` of ``tls``
    /// goes to every server that asks for one, except after a redirect to another origin; one that stands here goes to
    /// these hosts only. A malformed pattern fails every request with
    /// ``SockeyeError/Code-swift.struct/badConfiguration``.
    public var tlsOverrides: [String: TLSOptions] {
        get { engine.tlsOverrides }
        set { engine.tlsOverrides = newValue }
    }

    /// Deadlines; each call may have its own.
    public var timeouts: Timeouts {
        get { engine.timeouts }
        set { engine.timeouts = newValue }
    }

    /// What is accepted of a response.
    public var limits: ResponseLimits {
        get { engine.limits }
        set { engine.limits = newValue }
    }

    /// What a response may do wrong. Default nothing.
    public var tolerances: ResponseTolerances {
        get { engine.tolerances }
        set { engine.tolerances = newValue }
    }

    /// How many connections there are, and how long they are kept. Not used by a client that is made over a
    /// ``ConnectionPool``, which has limits of its own.
    public var pool: PoolOptions {
        get { engine.pool }
        set { engine.pool = newValue }
    }

    /// How sockets are set up.
    public var socket: SocketOptions {
        get { engine.socket }
        set { engine.socket = newValue }
    }

    /// Asks for the codings that are linked where the caller does not set Accept-Encoding, and undoes them: gzip and deflate,
    /// with the package's traits `Brotli` and `Zstandard` also br and zstd. Default true.
    public var decompresses: Bool {
        get { engine.decompresses }
        set { engine.decompresses = newValue }
    }

    /// Sent as User-Agent where the caller sets none; nil sends none. Default `sockeye`.
    public var userAgent: String? {
        get { engine.userAgent }
        set { engine.userAgent = newValue }
    }

    /// Answers for host names instead of DNS, by `host` or `host:port`, like curl's `--resolve`. Default none.
    public var hostOverrides: [String: [EndpointAddress]] {
        get { engine.hostOverrides }
        set { engine.hostOverrides = newValue }
    }

    /// Resolves host names. Default nil: the system's `getaddrinfo`, on threads of its own.
    public var resolver: (any NameResolver)? {
        get { engine.resolver }
        set { engine.resolver = newValue }
    }

    /// How long the answers of the resolver are kept at most: an answer that says how long it holds (its TTL) is not kept beyond
    /// that. Default 30 s; nil asks every time. Expired addresses are used for up to ten more minutes while a refresh fails or takes
    /// more than 1.8 s (RFC 8767), unless this is nil.
    public var resolverCacheLifetime: Duration? {
        get { engine.resolverCacheLifetime }
        set { engine.resolverCacheLifetime = newValue }
    }

    /// In which order the addresses of a name are tried. Default ``EndpointAddress/Order/asResolved``; ``EndpointAddress/Order/shuffled`` and
    /// ``EndpointAddress/Order/rotated`` spread connections over the servers of a name. Overrides and IP literals stay as they are.
    public var addressOrder: EndpointAddress.Order {
        get { engine.addressOrder }
        set { engine.addressOrder = newValue }
    }

    /// Which addresses may be connected to, looked at after resolving and before each connect, so that a name cannot
    /// lead where the policy forbids. Default: any. ``EndpointAddress/Policy/publicOnly`` is for URLs that users supply.
    public var addressPolicy: EndpointAddress.Policy {
        get { engine.addressPolicy }
        set { engine.addressPolicy = newValue }
    }

    /// Which requests go through a proxy, and through which. Default: none.
    public var proxy: Proxy.Selection {
        get { engine.proxy }
        set { engine.proxy = newValue }
    }

    /// Whether user name and password of a URL, which are sent as Basic credentials (RFC 7617), may go over http to other
    /// machines. Default false: such a request fails with ``SockeyeError/Code-swift.struct/insecureCredentials``. Policies
    /// have a consent of their own; see ``AuthenticationPolicy``.
    public var allowsPlaintextCredentials: Bool {
        get { engine.allowsPlaintextCredentials }
        set { engine.allowsPlaintextCredentials = newValue }
    }

    /// Interceptors of every call, besides the policies that are on by default: redirects are followed, see
    /// ``RedirectPolicy``. Default none. Not archived.
    public var interceptors: [any Interceptor] = []

    /// Observers of what happens to calls. Default none. Not archived.
    public var monitors: [any EventMonitor] = []

    /// How many tasks (``TransferTask``) run at a time, at least 1; others wait for their turn. Calls that are no tasks do not
    /// count. Default nil: any number.
    public var runningTasks: Int?

    /// Poller threads of the client's own, at most 64. Default 0: the thread that all such clients of the process share. Not used
    /// by a client that is made over a ``ConnectionPool``, which has threads of its own.
    public var pollerThreads: Int {
        get { engine.pollerThreads }
        set { engine.pollerThreads = newValue }
    }

    /// Makes the defaults named at each property.
    public init() {}

    /// Makes the defaults with some of them replaced.
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
