// One `import SockeyeCache` also makes the client available.
@_exported public import Sockeye
