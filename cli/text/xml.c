#include "cli/text/xml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/text/text.h"

void cs_xml_text(FILE *stream, const char *text)
{
    char *visible = cs_text_visible(text, strlen(text));
    for (const char *c = visible ? visible : ""; *c;) {
        uint32_t character;
        size_t bytes = cs_utf8_decode(c, strlen(c), &character);
        if (strchr("<>&\"'", *c))
            fprintf(stream, "&#%d;", *c);
        else if (bytes == 0 || character == 0xfffe || character == 0xffff)
            fputc('?', stream);
        else
            fwrite(c, 1, bytes, stream);
        c += bytes ? bytes : 1;
    }
    free(visible);
}
