#if XML
// One `import SockeyeXML` is enough to call the client, too.
@_exported public import Sockeye
#endif
