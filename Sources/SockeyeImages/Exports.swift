#if Images
// `import SockeyeImages` also imports Sockeye.
@_exported public import Sockeye
#endif
