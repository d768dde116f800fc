#if Images
// One `import SockeyeImages` is enough to call the client, too.
@_exported public import Sockeye
#endif
