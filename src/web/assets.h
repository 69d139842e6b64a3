/* The page's files: built into the program, or with --page read from a folder, for development. */
#ifndef TURF_WEB_ASSETS_H
#define TURF_WEB_ASSETS_H

#include "turf.h"

typedef struct PageFile {
    const char          *path; /* "/index.html" */
    const unsigned char *bytes;
    size_t               n_bytes;
} PageFile;

/* Written by embed.py; ends with a NULL path. */
extern const PageFile page_files[];

typedef struct Asset {
    const unsigned char *bytes;
    size_t               n_bytes;
    const char          *type; /* media type */
    char                 etag[24];
    void                *owned; /* freed by asset_release */
} Asset;

/* Finds the file for a path ("/" is "/index.html"); false if there is none. A NULL folder is the
 * built-in page. */
bool asset_find(const char *folder, const char *path, Asset *asset);
/* The same for a file anywhere, whose name ends as that of a file of the page. */
bool asset_read(const char *path, Asset *asset);
void asset_release(Asset *asset);
/* Checks that there is a page in the folder. */
bool assets_are_there(const char *folder, TurfError *error);

#endif
