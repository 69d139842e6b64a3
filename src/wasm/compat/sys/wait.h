/* How a script of the page ended, as bot_talk.c asks for it: it has no signals. */
#ifndef TURF_WASM_SYS_WAIT_H
#define TURF_WASM_SYS_WAIT_H

#define WIFSIGNALED(status) 0
#define WTERMSIG(status) 0
#define WEXITSTATUS(status) (status)

#endif
