extension Scenario {
    /// All scenarios, in the order of running and reporting. Each kind of scenario has its own file in this folder;
    /// clients do not have to know them.
    static var all: [Scenario] {
        smallGets + policies + responseFields + poolContention + connectionPerRequest + handshakes
            + json + inflation
            + downloads + uploads + progress
            + shared + firstRequests + idleConnections + cancellations
    }

    /// The scenarios that run only if they are named.
    static var others: [Scenario] { proxies + codings }
}
