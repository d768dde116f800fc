// One `import SockeyeImages` also makes the cache and the client available.
@_exported public import Sockeye
@_exported public import SockeyeCache
