/* A bundle: the files of a bot on their way out of the sandbox in which it was built.
 *
 * A stream of records, each with a head of eight bytes: its kind, a flag, the length of its name
 * (two bytes, the low one first) and of its content (four bytes); then the name and the content.
 *
 *     h           the builder runs; always the first
 *     s  flag 1: it went well; 0: it failed; name: the step; content: what it said
 *     r  name: the recipe; content: the main file, or the main class
 *     f  flag 1: it may be run; name: its path; content: the file
 *     e           the end
 *
 * What comes out of a sandbox may have been written by the bot itself, so the reader believes
 * nothing: names, lengths, numbers and the order are checked, and no more than what is allowed is
 * kept. */
#ifndef TURF_LEAGUE_BOT_BUNDLE_H
#define TURF_LEAGUE_BOT_BUNDLE_H

#include "turf.h"

#include <stdio.h>

enum {
    BUNDLE_HEAD_BYTES = 8,
    MAX_BUNDLE_FILES = 2000,
    MAX_BUNDLE_BYTES = 64 << 20, /* of all files together */
    MAX_BUNDLE_TEXT = 32 << 10,  /* of any other content */
    MAX_BUNDLE_PATH = 240,
    MAX_BUNDLE_NAME = 120, /* a part of a path */
    MAX_BUNDLE_DEPTH = 12
};

typedef enum BundleKind {
    BUNDLE_HELLO = 'h',
    BUNDLE_STEP = 's',
    BUNDLE_RECIPE = 'r',
    BUNDLE_FILE = 'f',
    BUNDLE_END = 'e'
} BundleKind;

/* What is wrong with the path of a file, as "is an absolute path"; NULL: it is a good one, which is
 * relative, printable and without "..". */
const char *bundle_path_fault(const char *path, size_t length);

/* ---- writing ---- */

/* The head and the name of a record; the caller writes the content. */
void bundle_write_head(FILE *out, BundleKind kind, bool flag, const char *name, size_t n_bytes);
/* A whole record. */
void bundle_write(FILE *out, BundleKind kind, bool flag, const char *name, const char *text);

/* ---- reading ---- */

typedef struct BundleRecord {
    BundleKind  kind;
    bool        flag;
    const char *name;    /* valid in the calls */
    size_t      n_bytes; /* of the content */
} BundleRecord;

/* Called by bundle_read. Each returns false after filling the error to stop. */
typedef struct BundleVisitor {
    /* A record of any kind but a file, with its content, which is text. */
    bool (*record)(void *context, const BundleRecord *record, const char *text, TurfError *error);
    /* A file begins; its content follows in pieces; it ends. */
    bool (*begin_file)(void *context, const BundleRecord *record, TurfError *error);
    bool (*file_bytes)(void *context, const char *bytes, size_t n_bytes, TurfError *error);
    bool (*end_file)(void *context, TurfError *error);
    void *context;
} BundleVisitor;

typedef struct BundleReader {
    const BundleVisitor *visitor;
    /* For bot_bundle.c alone. */
    unsigned char head[BUNDLE_HEAD_BYTES];
    char          name[MAX_BUNDLE_PATH + 1];
    char          text[MAX_BUNDLE_TEXT + 1];
    size_t        n_head, n_name, n_content; /* how much of each is there */
    BundleRecord  record;
    size_t        name_length;
    size_t        n_files, n_file_bytes;
    bool          has_begun, is_complete;
} BundleReader;

/* Reads what has come, in pieces of any size. False: it is malformed, or the visitor stopped. */
bool bundle_read(BundleReader *reader, const char *bytes, size_t n_bytes, TurfError *error);

#endif
