/* The page's files: built into the program, or read from a folder while somebody works on them. */
#ifndef TURF_WEB_ASSETS_H
#define TURF_WEB_ASSETS_H

#include "turf.h"

typedef struct PageFile {
    const char          *path; /* from the root, "/index.html" */
    const unsigned char *bytes;
    size_t               n_bytes;
} PageFile;

/* Written by the build; ends with a NULL path. */
extern const PageFile page_files[];

typedef struct Asset {
    const unsigned char *bytes;
    size_t               n_bytes;
    const char          *type; /* of the content */
    char                 etag[24];
    void                *owned; /* freed by asset_release */
} Asset;

/* The file that a path stands for ("/" is "/index.html"); false if there is none. `folder` may be
 * NULL. */
bool asset_find(const char *folder, const char *path, Asset *asset);
void asset_release(Asset *asset);
/* Is there a page in the folder? NULL, the one that was built in, is fine. */
bool assets_are_there(const char *folder, TurfError *error);

#endif
