extension Scenario {
    /// All scenarios, in the order in which they run and are reported. A kind of scenarios has a file of its own beside
    /// this one; clients need not know them.
    static var all: [Scenario] {
        smallGets + policies + responseFields + poolContention + connectionPerRequest + handshakes
            + json + inflation
            + downloads + uploads + progress
            + shared + firstRequests + idleConnections + cancellations
    }

    /// Those that run only when they are named.
    static var others: [Scenario] { proxies + codings }
}
