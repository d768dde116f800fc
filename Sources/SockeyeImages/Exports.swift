#if Images
// One `import SockeyeImages` also imports the client.
@_exported public import Sockeye
#endif
