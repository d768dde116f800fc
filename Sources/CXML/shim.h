// Located by pkg-config for CSockeyeXML; no Swift code imports this module. The headers of libxml2 may include those of
// ICU, which clash with Foundation's.
#include <libxml/xmlversion.h>
