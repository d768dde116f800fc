extension Scenario {
    /// The most important ones again, but with servers and clients on the same cores: who gets which core when is up to the
    /// scheduler then, which makes up its mind now and again.
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
