/* XML, for JUnit files. Texts come from hostile programs: every one of them passes through cs_xml_text. */
#pragma once

#include <stdio.h>

/* Writes a text as characters of XML, in elements and in quoted attributes. XML 1.0 has no character for most control
   characters, nor any escape: they are made visible. */
void cs_xml_text(FILE *stream, const char *text);
