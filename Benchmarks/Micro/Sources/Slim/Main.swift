import Sockeye
import SockeyeDNS
import SockeyeDiskCache
import SockeyeImages
import SockeyeObservability
import SockeyeService
import SockeyeXML

/// Imports every product that has a trait, without the traits. Scripts/check-slim.sh looks at the libraries that it
/// links.
@main struct Main {
    static func main() { print(HTTPClient.shared) }
}
