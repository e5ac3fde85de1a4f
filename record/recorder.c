#include "record/recorder.h"

struct cs_recorder cs_recorder;
