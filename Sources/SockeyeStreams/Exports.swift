// One `import SockeyeStreams` also makes the client available.
@_exported public import Sockeye
