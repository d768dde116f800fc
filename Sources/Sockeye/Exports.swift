// What the public declarations of this module are made of comes with it: one `import Sockeye` is enough.
@_exported public import HTTPTypes
@_exported public import SockeyeAuthentication
@_exported public import SockeyeCookies
@_exported public import SockeyeCore
@_exported public import SockeyeHTTP1
@_exported public import SockeyeMultipart
@_exported public import SockeyeSerialization
@_exported public import SockeyeTransport
