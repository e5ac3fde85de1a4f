#include "base/symbols/signature.h"

#include <stdbool.h>
#include <string.h>

#include "base/ascii.h"
#include "base/words.h"

/* Returns the position after the bracket that closes the one at `text`, or the end of the text. The ">" of "->"
   closes nothing. */
static const char *after_bracket(const char *text)
{
    int depth = 0;
    for (const char *c = text; *c; c++) {
        if (strchr("<({[", *c))
            depth++;
        else if (strchr(")}]", *c) || (*c == '>' && c[-1] != '-'))
            depth--;
        if (depth == 0)
            return c + 1;
    }
    return text + strlen(text);
}

/* Length of an operator's name: "operator<<", "operator()", "operator new[]"; 0: no operator here. */
static size_t operator_length(const char *text, const char *begin)
{
    const char *symbol = text + strlen("operator");
    if (!cs_begins_with(text, "operator") || (text > begin && (cs_ascii_is_alnum(text[-1]) || text[-1] == '_')))
        return 0;
    if (cs_begins_with(symbol, "()") || cs_begins_with(symbol, "[]"))
        return strlen("operator()");
    if (*symbol == ' ') /* new, delete, or the target type of a conversion */
        return strlen("operator") + strcspn(symbol, "(<");
    size_t length = strspn(symbol, "<>=!+-*/%^&|~,");
    return length ? strlen("operator") + length : 0;
}

/* True if a suffix of a function begins here, such as "const" or "[clone]". */
static bool is_suffix(const char *text)
{
    static const char *const suffixes[] = {" const", " volatile", " &", " noexcept", " [clone"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (cs_begins_with(text, suffixes[i]))
            return true;
    return false;
}

struct out {
    char *text;
    size_t size, used;
};

static void signature_add(struct out *out, const char *text, size_t length)
{
    if (length > out->size - 1 - out->used)
        length = out->size - 1 - out->used;
    memcpy(out->text + out->used, text, length);
    out->used += length;
    out->text[out->used] = '\0';
}

static void shorten_one(const char *from, const char *end, struct out *out)
{
    static const char anonymous[] = "(anonymous namespace)";
    const char *begin = from;
    size_t first = out->used;
    bool braces = false; /* inside "{lambda(int)#1}" */
    while (from < end) {
        size_t kept = operator_length(from, begin);
        if (!kept && cs_begins_with(from, anonymous))
            kept = strlen(anonymous);
        if (!kept && *from != '<' && *from != '(' && (*from != ' ' || braces))
            kept = 1;
        if (kept) {
            braces = *from == '{' || (braces && *from != '}');
            signature_add(out, from, kept);
            from += kept;
        } else if (*from != ' ') {
            if (*from == '<')
                signature_add(out, "<...>", strlen("<...>"));
            from = after_bracket(from);
        } else if (is_suffix(from)) {
            break;
        } else if (from[1] == '<') { /* "operator<< <char>" */
            from++;
        } else {
            out->used = first; /* that was the return type */
            from++;
        }
    }
}

const char *cs_signature_shorten(const char *function, char *text, size_t size)
{
    struct out out = {.text = text, .size = size};
    const char *end = function + strlen(function), *tail = strstr(function, CS_TAIL_CALL);
    end = tail ? tail : end;
    const char *whole = strstr(function, CS_INLINED_INTO);
    *text = '\0';
    shorten_one(function, whole ? whole : end, &out);
    if (whole) {
        signature_add(&out, CS_INLINED_INTO, strlen(CS_INLINED_INTO));
        shorten_one(whole + strlen(CS_INLINED_INTO), end[-1] == ')' ? end - 1 : end, &out);
        signature_add(&out, ")", 1);
    }
    signature_add(&out, tail ? tail : "", tail ? strlen(tail) : 0);
    return text;
}
