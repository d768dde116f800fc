import SockeyeCore

/// A received request. Its path names a behaviour and its parameters: `/behaviour/nonce/size`.
struct SoakRequest: Sendable {
    let method: String
    let behaviour: String
    let nonce: UInt64
    let size: Int
    /// The number of redirects before this request, for behaviours that redirect several times.
    let step: Int
    private let head: String

    init?(_ head: Bytes) {
        self.head = String(decoding: head, as: UTF8.self)
        let line = self.head.prefix { $0 != "\r\n" }.split(separator: " ")
        guard line.count == 3 else { return nil }
        let parts = line[1].split(separator: "/")
        guard parts.count >= 3, let nonce = UInt64(parts[1], radix: 16), let size = Int(parts[2]) else { return nil }
        method = String(line[0])
        behaviour = String(parts[0])
        self.nonce = nonce
        self.size = size
        step = parts.count > 3 ? Int(parts[3]) ?? 0 : 0
    }

    /// The content that the client expects.
    var content: Bytes { method == "HEAD" ? Bytes() : Content.bytes(nonce, size) }

    /// Returns the first field with a name, which is given in lower case.
    func field(_ name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            guard let colon = line.utf8.firstIndex(of: 0x3A), line[..<colon].lowercased() == name else { continue }
            return String(line[colon...].dropFirst().drop { $0 == " " })
        }
        return nil
    }

    func path(_ behaviour: String, step: Int = 0) -> String {
        "/\(behaviour)/\(String(nonce, radix: 16))/\(size)/\(step)"
    }

    /// Returns a pseudo-random number that depends only on the request, so that a run with the same seed repeats it.
    func chance(below limit: Int, _ salt: UInt64 = 1) -> Int {
        var random = SoakRandom(state: nonce ^ salt &* 0x9E37_79B9_7F4A_7C15)
        return Int(random.next() % UInt64(max(1, limit)))
    }
}
