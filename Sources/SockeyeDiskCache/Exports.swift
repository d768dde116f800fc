// One `import SockeyeDiskCache` also makes the client available.
@_exported public import Sockeye
