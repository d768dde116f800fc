// One `import SockeyeDiagnostics` also makes the client available.
@_exported public import Sockeye
