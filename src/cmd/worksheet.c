#include "cmd/console.h"
int cmd_worksheet(const Arguments *arguments)
{
    (void)arguments;
    return 0;
}
