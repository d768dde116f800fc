import HTTPTypes
import SockeyeEngine
import SockeyeHTTP

extension ClientScope {
    /// Throws an error if the scope is confined to its base URL and `url` lies outside of that base.
    func checkConfinement(of url: HTTPURL, for method: HTTPRequest.Method) throws(SockeyeError) {
        guard settings.isConfined, let base = try baseURL?.get(), !base.contains(url) else { return }
        var fields = SockeyeError.Fields(
            .invalidURL, phase: .prepare, blame: .caller,
            message: "the URL is outside of the base URL \(base.masked), to which the client is confined")
        fields.request = RequestIdentity(method: method.rawValue, url: url)
        throw SockeyeError(fields)
    }
}

extension HTTPURL {
    /// Returns true if `url` has the origin of this URL and lies in this URL's folder, which is the path up to the last
    /// slash.
    fileprivate func contains(_ url: HTTPURL) -> Bool {
        guard url.isSameOrigin(as: self) else { return false }
        let folder = Array(pathView.prefix(upTo: pathView.lastIndex(of: UInt8(ascii: "/")) ?? pathView.startIndex))
        guard url.pathView.starts(with: folder + [UInt8(ascii: "/")]) else { return false }
        // The URL parser has resolved the segments `.` and `..`. It keeps a `..` between encoded slashes (`%2F`) or
        // before parameters (`..;a=b`). A server that first decodes the slashes or drops the parameters would resolve
        // that `..` and leave the folder. Such a URL therefore counts as outside.
        let segments = PercentEncoding.decode(url.pathView.dropFirst(folder.count)).split {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }
        return !segments.contains { $0.prefix { $0 != UInt8(ascii: ";") }.elementsEqual("..".utf8) }
    }
}
