/* The sandbox of a bot: bubblewrap around its command, as an allow-list.
 *
 * A bot sees the system's programs and libraries and its own folder, all read-only, a private /tmp
 * of limited size, its own processes and no network; nothing else. It is never root, has no
 * capabilities, and a seccomp filter denies it the rarely used parts of the kernel
 * (bots/seccomp_filter.h). The kernel counts its processes and threads. */
#ifndef TURF_BOTS_SANDBOX_H
#define TURF_BOTS_SANDBOX_H

#include "turf.h"

/* Lists end with NULL and may be NULL themselves; all paths are absolute. */
typedef struct SandboxTerms {
    const char        *folder;        /* where the bot starts; NULL: the current folder, unseen */
    bool               is_own_folder; /* set by sandbox_wrap where `folder` was given */
    const char *const *writable;      /* folders that it may write to */
    const char *const *readable;      /* more files and folders that it may read */
    const char *const *hidden; /* files that it may not see, though they lie beside its own */
    int64_t            max_processes; /* threads included; 0: no limit */
    int64_t            max_mib;       /* /tmp is no larger; 0: as large as it usually is */
    bool               is_pinned;     /* it may not choose other processors */
} SandboxTerms;

typedef struct Sandbox {
    char **words;  /* the command to run instead */
    int    filter; /* a descriptor that the command has to inherit */
} Sandbox;

/* Puts a command into a sandbox. A file that the command names is shown with the folder it lies
 * in, unless that is the user's home, where only the file is. */
bool sandbox_wrap(Sandbox *sandbox, char *const *words, const SandboxTerms *terms,
                  TurfError *error);
void sandbox_release(Sandbox *sandbox);

/* Whether sandboxes can be made here, found out by making one. */
bool sandbox_works(void);

#endif
