#if XML
// One `import SockeyeXML` also makes the client available.
@_exported public import Sockeye
#endif
