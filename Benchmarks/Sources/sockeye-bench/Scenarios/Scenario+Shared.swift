extension Scenario {
    /// The most important scenarios with servers and clients on the same cores. The scheduler then assigns the cores,
    /// and changes the assignment from time to time.
    static var shared: [Scenario] {
        let names = ["get-c1", "get-c64", "get-tls-c64", "download-1g", "upload-1g"]
        return (smallGets + downloads + uploads).filter { names.contains($0.name) }.map { scenario in
            var shared = scenario
            shared.name += "-shared"
            shared.placement = .shared
            shared.isQuick = false
            return shared
        }
    }
}
