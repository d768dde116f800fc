// `import SockeyeTesting` also imports Sockeye. Tests of a cache store must import SockeyeCache themselves, and tests
// of a WebSocket SockeyeWebSocket.
@_exported public import Sockeye
