/* Loading OpenCL: by its loader, libOpenCL.so.1, which knows all drivers that are installed. Some
 * machines, such as containers with a driver passed in, have a driver and no loader; the driver is
 * then asked itself, in the way that a loader would ask it (cl_khr_icd): every object of a driver
 * begins with a pointer to its table of functions. */
#include "gpu/opencl.h"

#include "base/error.h"

#include <dlfcn.h>
#include <string.h>

static const char        loader_name[] = "libOpenCL.so.1";
static const char *const driver_names[] = {"libnvidia-opencl.so.1"};

bool opencl_fail(TurfError *error, const char *call, cl_int code)
{
    return error_io(error, "%s failed (OpenCL error %d)", call, code);
}

cl_uint opencl_platforms(const OpenclApi *api, cl_platform_id *platforms, cl_uint room)
{
    cl_uint n = 0;
    if (api->driver) {
        platforms[0] = api->driver;
        return 1;
    }
    if (api->clGetPlatformIDs(room, platforms, &n) != CL_SUCCESS)
        return 0;
    return n < room ? n : room;
}

/* ISO C has no conversion from void * to a pointer to a function; POSIX has. */
static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

static bool load_loader(OpenclApi *api, TurfError *error)
{
    void *library = dlopen(loader_name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        return error_not_found(error, "OpenCL is not installed (%s)", why ? why : loader_name);
    }
    bool is_whole = true;
#define FIND(name)                                                                                 \
    find(library, #name, &api->name);                                                              \
    is_whole = is_whole && api->name;
    OPENCL_FUNCTIONS(FIND)
#undef FIND
    if (!is_whole)
        return error_not_found(error, "%s lacks functions of OpenCL 1.2", loader_name);
    cl_platform_id platform;
    if (opencl_platforms(api, &platform, 1) == 0)
        return error_not_found(error, "OpenCL is installed, but no driver for it");
    return true;
}

static bool load_driver(OpenclApi *api, const char *name)
{
    void *(*address_of)(const char *name) = NULL;
    cl_int (*platforms_of)(cl_uint, cl_platform_id *, cl_uint *) = NULL;
    cl_uint n = 0;
    void   *library = dlopen(name, RTLD_NOW | RTLD_LOCAL), *address;
    if (!library)
        return false;
    find(library, "clGetExtensionFunctionAddress", &address_of);
    if (!address_of || !(address = address_of("clIcdGetPlatformIDsKHR")))
        return false;
    memcpy(&platforms_of, &address, sizeof address);
    if (platforms_of(1, &api->driver, &n) != CL_SUCCESS || n == 0)
        return false;
    const cl_icd_dispatch *table = *(cl_icd_dispatch *const *)(const void *)api->driver;
#define COPY(name) api->name = table->name;
    OPENCL_FUNCTIONS(COPY)
#undef COPY
    return true;
}

bool opencl_load(OpenclApi *api, TurfError *error)
{
    *api = (OpenclApi){0};
    if (load_loader(api, error))
        return true;
    for (size_t i = 0; i < sizeof driver_names / sizeof *driver_names; i++) {
        *api = (OpenclApi){0};
        if (load_driver(api, driver_names[i]))
            return true;
    }
    return false;
}
