import Foundation

/// The paths of the servers that Scripts/install-deps.sh installs; nil if a server is not installed.
enum Program {
    static let nginx = find("nginx")
    static let apache = find("apache2")
    static let python = find("python3")
    static let openssl = find("openssl")

    /// The Python interpreter of httpbin's virtual environment.
    static let httpbin: String? = {
        let servers = ProcessInfo.processInfo.environment["SOCKEYE_TEST_SERVERS"] ?? ".build/test-servers"
        let folder = URL(filePath: servers, relativeTo: URL(filePath: packageRoot + "/", directoryHint: .isDirectory))
        let python = folder.path + "/httpbin/bin/python3"
        let isReady = FileManager.default.fileExists(atPath: folder.path + "/httpbin/ready")
        return isReady && FileManager.default.isExecutableFile(atPath: python) ? python : nil
    }()

    /// The folder of Package.swift, three levels above that of this file.
    static let packageRoot: String = {
        var url = URL(filePath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path
    }()

    /// Returns the path of a file in the folder Servers.
    static func resource(_ name: String) -> String {
        packageRoot + "/Tests/SockeyeServerTests/Servers/" + name
    }

    static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
        return folders.map { $0 + "/" + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
