import Foundation

/// A root and a certificate for 127.0.0.1 signed by it, new for each run.
struct Certificate {
    let root: String
    let chain: String
    let key: String

    init(folder: URL) throws {
        root = folder.appending(path: "root.pem").path
        chain = folder.appending(path: "server.pem").path
        key = folder.appending(path: "server.key").path
        let rootKey = folder.appending(path: "root.key").path
        let fresh = ["req", "-x509", "-days", "2", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        try Self.openssl(
            fresh + ["-subj", "/CN=Benchmark Root", "-keyout", rootKey, "-out", root]
                + ["-addext", "keyUsage=critical,keyCertSign"])
        try Self.openssl(
            fresh + ["-subj", "/CN=127.0.0.1", "-keyout", key, "-out", chain, "-CA", root, "-CAkey", rootKey]
                + ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
                + ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth"])
    }

    private static func openssl(_ arguments: [String]) throws {
        let process = try ChildProcess("openssl", arguments, isQuiet: true)
        guard process.readAll(within: 20) != nil, process.end().status == 0 else {
            throw BenchFailure("openssl \(arguments[0]) failed")
        }
    }
}
