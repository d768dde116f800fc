// One `import SockeyeDNS` also makes the client available.
@_exported public import Sockeye
