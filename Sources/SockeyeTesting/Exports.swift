// `import SockeyeTesting` also imports Sockeye. Tests of a cache store or of a WebSocket import these products
// themselves.
@_exported public import Sockeye
