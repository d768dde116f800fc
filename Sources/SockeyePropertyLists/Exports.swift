// One `import SockeyePropertyLists` also makes the client available.
@_exported public import Sockeye
