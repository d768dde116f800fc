import Sockeye

/// URLs for people, without user name and password, and with `***` in place of the values of secret query items.
package enum MaskedURL {
    /// Returns a URL as it is written if it has no secrets, else normalised and masked.
    package static func text(_ written: String) -> String {
        guard let url = try? HTTPURL(written) else { return written }
        let isSecret = url.user != nil || url.debugDescription != url.description
        return isSecret ? url.debugDescription : written
    }
}
