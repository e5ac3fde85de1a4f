#include "record/process/recorder.h"

struct cs_recorder cs_recorder;
