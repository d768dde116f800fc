// Re-exports the modules with types that occur in this module's public declarations: one `import Sockeye` is enough.
@_exported public import HTTPTypes
@_exported public import SockeyeCore
@_exported public import SockeyeEngine
@_exported public import SockeyeHTTP
@_exported public import SockeyeNet
@_exported public import SockeyeSerialization
