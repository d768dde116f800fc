// This module exists only so that SwiftPM finds libxml2 by pkg-config for CSockeyeXML; no Swift code imports it. Other
// headers of libxml2 may include those of ICU, which clash with Foundation's.
#include <libxml/xmlversion.h>
