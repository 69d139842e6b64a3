/* OpenCL, found at run time: turf starts and plays without it, and is linked to none of it. */
#ifndef TURF_GPU_OPENCL_H
#define TURF_GPU_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include "turf.h"

#include <CL/cl_icd.h>

/* The functions that turf calls. */
#define OPENCL_FUNCTIONS(each)                                                                     \
    each(clGetPlatformIDs) each(clGetPlatformInfo) each(clGetDeviceIDs) each(clGetDeviceInfo)      \
        each(clCreateContext) each(clReleaseContext) each(clCreateCommandQueue)                    \
            each(clReleaseCommandQueue) each(clCreateBuffer) each(clReleaseMemObject)              \
                each(clCreateProgramWithSource) each(clBuildProgram) each(clGetProgramBuildInfo)   \
                    each(clReleaseProgram) each(clCreateKernel) each(clReleaseKernel)              \
                        each(clSetKernelArg) each(clEnqueueWriteBuffer) each(clEnqueueReadBuffer)  \
                            each(clEnqueueNDRangeKernel) each(clFinish)

#define OPENCL_MEMBER(name) cl_api_##name name;
typedef struct OpenclApi {
    OPENCL_FUNCTIONS(OPENCL_MEMBER)
    cl_platform_id driver; /* the only platform, where a driver was loaded without a loader */
} OpenclApi;
#undef OPENCL_MEMBER

/* False: there is no OpenCL, or no driver. What was loaded stays loaded. */
bool opencl_load(OpenclApi *api, TurfError *error);

/* The platforms; at most `room`. */
cl_uint opencl_platforms(const OpenclApi *api, cl_platform_id *platforms, cl_uint room);

/* Fills in the error with a call that failed, and returns false. */
bool opencl_fail(TurfError *error, const char *call, cl_int code);

#endif
