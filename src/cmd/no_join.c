/* turf join in a build without libcurl. */
#include "cmd/console.h"

int cmd_join(const Arguments *arguments)
{
    (void)arguments;
    die("this turf was built without libcurl, which join needs");
}
