/* Bundles: writing them inside of the sandbox, and reading them outside, piece by piece, in a fixed
 * amount of memory. Invariant: no length is believed before it was compared with its limit. */
#include "league/bot_bundle.h"

#include "base/error.h"
#include "base/utf8.h"

#include <string.h>

static const char *fault_of_part(const char *part, size_t length)
{
    if (length == 0)
        return "has an empty part";
    if ((length == 1 && part[0] == '.') || (length == 2 && part[0] == '.' && part[1] == '.'))
        return "leads elsewhere with . or ..";
    return length > MAX_BUNDLE_NAME ? "has a part that is too long" : NULL;
}

const char *bundle_path_fault(const char *path, size_t length)
{
    size_t n_parts = 1;
    if (length == 0)
        return "is empty";
    if (path[0] == '/')
        return "is an absolute path";
    if (length > MAX_BUNDLE_PATH)
        return "is too long";
    if (memchr(path, '\0', length) || !utf8_is_printable(path, length))
        return "has characters that cannot be printed";
    if (memchr(path, '\\', length))
        return "has a backslash";
    for (size_t begin = 0, i = 0; i <= length; i++) {
        if (i < length && path[i] != '/')
            continue;
        const char *fault = fault_of_part(path + begin, i - begin);
        if (fault)
            return fault;
        begin = i + 1;
        n_parts += i < length;
    }
    return n_parts > MAX_BUNDLE_DEPTH ? "lies too deep in folders" : NULL;
}

/* ---- writing ------------------------------------------------------------------------------ */

void bundle_write_head(FILE *out, BundleKind kind, bool flag, const char *name, size_t n_bytes)
{
    size_t        n_name = strlen(name);
    unsigned char head[BUNDLE_HEAD_BYTES] = {(unsigned char)kind, flag,
                                             n_name & 255,        n_name >> 8 & 255,
                                             n_bytes & 255,       n_bytes >> 8 & 255,
                                             n_bytes >> 16 & 255, n_bytes >> 24 & 255};
    fwrite(head, 1, sizeof head, out);
    fwrite(name, 1, n_name, out);
}

void bundle_write(FILE *out, BundleKind kind, bool flag, const char *name, const char *text)
{
    size_t length = strlen(text);
    if (length > MAX_BUNDLE_TEXT)
        length = MAX_BUNDLE_TEXT;
    bundle_write_head(out, kind, flag, name, length);
    fwrite(text, 1, length, out);
}

/* ---- reading ------------------------------------------------------------------------------ */

static bool malformed(TurfError *error, const char *what)
{
    return error_invalid(error, "what the builder wrote cannot be read: %s", what);
}

/* Understands a head. */
static bool take_head(BundleReader *reader, TurfError *error)
{
    const unsigned char *head = reader->head;
    size_t n_bytes = head[4] | (size_t)head[5] << 8 | (size_t)head[6] << 16 | (size_t)head[7] << 24;
    reader->name_length = head[2] | (size_t)head[3] << 8;
    reader->record = (BundleRecord){(BundleKind)head[0], head[1] == 1, reader->name, n_bytes};
    if (!head[0] || !strchr("hsrfe", head[0]) || head[1] > 1)
        return malformed(error, "a record of another kind");
    if ((head[0] == BUNDLE_HELLO) == reader->has_begun)
        return malformed(error, "it does not begin as it should");
    if (reader->name_length > MAX_BUNDLE_PATH)
        return malformed(error, "a name is too long");
    if (head[0] != BUNDLE_FILE && n_bytes > MAX_BUNDLE_TEXT)
        return malformed(error, "a text is too long");
    if (head[0] == BUNDLE_FILE && reader->n_files == MAX_BUNDLE_FILES)
        return error_invalid(error, "more than %d files were built", MAX_BUNDLE_FILES);
    if (head[0] == BUNDLE_FILE && n_bytes > MAX_BUNDLE_BYTES - reader->n_file_bytes)
        return error_invalid(error, "the files that were built have more than %d MiB",
                             MAX_BUNDLE_BYTES >> 20);
    reader->has_begun = true;
    return true;
}

/* The name is there. */
static bool take_name(BundleReader *reader, TurfError *error)
{
    const BundleRecord *record = &reader->record;
    reader->name[reader->name_length] = '\0';
    if (record->kind != BUNDLE_FILE) {
        bool is_good = utf8_is_printable(reader->name, reader->name_length) &&
                       strlen(reader->name) == reader->name_length;
        return is_good || malformed(error, "a name cannot be printed");
    }
    if (bundle_path_fault(reader->name, reader->name_length))
        return malformed(error, "a file has a bad name");
    reader->n_files++;
    reader->n_file_bytes += record->n_bytes;
    return reader->visitor->begin_file(reader->visitor->context, record, error);
}

/* The content is there. */
static bool take_record(BundleReader *reader, TurfError *error)
{
    const BundleVisitor *visitor = reader->visitor;
    const BundleRecord  *record = &reader->record;
    bool                 is_good = true;
    if (record->kind == BUNDLE_FILE) {
        is_good = visitor->end_file(visitor->context, error);
    } else {
        for (size_t i = 0; i < record->n_bytes; i++)
            if (reader->text[i] == '\0')
                reader->text[i] = '?';
        reader->text[record->n_bytes] = '\0';
        is_good = visitor->record(visitor->context, record, reader->text, error);
    }
    reader->is_complete = record->kind == BUNDLE_END;
    reader->n_head = reader->n_name = reader->n_content = 0;
    return is_good;
}

/* Takes bytes until `n_there` is `n_wanted`; returns how many. */
static size_t fill(void *to, size_t *n_there, size_t n_wanted, const char *bytes, size_t n_bytes)
{
    size_t n = n_wanted - *n_there;
    n = n < n_bytes ? n : n_bytes;
    memcpy((char *)to + *n_there, bytes, n);
    *n_there += n;
    return n;
}

static bool take_content(BundleReader *reader, const char *bytes, size_t n_bytes, size_t *n_taken,
                         TurfError *error)
{
    const BundleVisitor *visitor = reader->visitor;
    if (reader->record.kind != BUNDLE_FILE) {
        *n_taken = fill(reader->text, &reader->n_content, reader->record.n_bytes, bytes, n_bytes);
        return true;
    }
    size_t n = reader->record.n_bytes - reader->n_content;
    *n_taken = n < n_bytes ? n : n_bytes;
    reader->n_content += *n_taken;
    return *n_taken == 0 || visitor->file_bytes(visitor->context, bytes, *n_taken, error);
}

bool bundle_read(BundleReader *reader, const char *bytes, size_t n_bytes, TurfError *error)
{
    while (n_bytes > 0) {
        size_t n_taken = 0;
        if (reader->is_complete)
            return malformed(error, "more comes after its end");
        if (reader->n_head < BUNDLE_HEAD_BYTES) {
            n_taken = fill(reader->head, &reader->n_head, BUNDLE_HEAD_BYTES, bytes, n_bytes);
            bytes += n_taken;
            n_bytes -= n_taken;
            if (reader->n_head < BUNDLE_HEAD_BYTES)
                return true;
            if (!take_head(reader, error) ||
                (reader->name_length == 0 && !take_name(reader, error)))
                return false;
        } else if (reader->n_name < reader->name_length) {
            n_taken = fill(reader->name, &reader->n_name, reader->name_length, bytes, n_bytes);
            bytes += n_taken;
            n_bytes -= n_taken;
            if (reader->n_name == reader->name_length && !take_name(reader, error))
                return false;
        } else {
            if (!take_content(reader, bytes, n_bytes, &n_taken, error))
                return false;
            bytes += n_taken;
            n_bytes -= n_taken;
        }
        bool is_whole = reader->n_head == BUNDLE_HEAD_BYTES &&
                        reader->n_name == reader->name_length &&
                        reader->n_content == reader->record.n_bytes;
        if (is_whole && !take_record(reader, error))
            return false;
    }
    return true;
}
