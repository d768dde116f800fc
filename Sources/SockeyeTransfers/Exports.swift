// One `import SockeyeTransfers` also makes the client available.
@_exported public import Sockeye
