#include "CSockeyeSystem.h"
