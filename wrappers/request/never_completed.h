#pragma once

/* Requests that the program never completed and never freed, and messages that it matched and never received, become
   objects now: before that there was no reason to follow them. Once, when MPI has ended. */
void cs_record_never_completed(void);
