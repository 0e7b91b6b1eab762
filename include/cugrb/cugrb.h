/* cuGrB for programs that know about it: where did my GraphBLAS calls run, and what was moved?
 *
 * A program needs none of this to run on the GPU. The functions are exported by libcugrb.so; link with
 * -lcugrb, or look one up with dlsym(RTLD_DEFAULT, "cugrb_version") when the library may or may not be
 * preloaded. All of them may be called at any time, from any thread, before GrB_init and after GrB_finalize.
 * C99 and C++.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of libcugrb.so, "0.2.0". */
const char* cugrb_version(void);

/* The real GraphBLAS library that calls are forwarded to: its path and, after GrB_init, its version ("7.4.0",
 * else ""). */
const char* cugrb_graphblas_path(void);
const char* cugrb_graphblas_version(void);

/* Why every call is only passed on (another version than this build's, a missing function, two copies); "" if
 * it is not so. */
const char* cugrb_forward_only_reason(void);

/* What has happened since the program began, or since cugrb_reset_statistics. Nothing is counted while
 * cugrb_forward_only_reason is not "". */
typedef struct {
  uint64_t calls_gpu;      /* calls that take a matrix or a vector and ran on the device */
  uint64_t calls_cpu;      /* ... that were forwarded to the real library */
  uint64_t bytes_up;       /* copied to the device, index lists and scalars included */
  uint64_t bytes_down;     /* copied back */
  uint64_t uploads;        /* objects copied to the device */
  uint64_t downloads;      /* objects copied back */
  uint64_t hits;           /* uses that found the device copy valid */
  uint64_t resident;       /* objects with a device copy now */
  uint64_t resident_bytes; /* and their size */
  uint64_t peak_bytes;     /* the most device memory in use at once, since the program began */
} cugrb_statistics;

void cugrb_get_statistics(cugrb_statistics* statistics);

/* Starts the counts of calls, bytes, uploads, downloads and hits at zero; what is resident stays. */
void cugrb_reset_statistics(void);

/* Where, and why there, did this thread's last recorded call run? Copies the text of its record, as
 * CUGRB_TRACE=1 prints it, into `text` (cut to `size` bytes with the final zero), and returns the length of
 * the whole text. Calls are recorded while a trace runs or after cugrb_keep_records (1); "" when there is no
 * record. */
size_t cugrb_where(char* text, size_t size);
void cugrb_keep_records(int keep);

/* Starts a trace as CUGRB_TRACE does: "1" (lines on stderr) or a file name that ends in .json (Chrome trace),
 * and the summary at exit if `summary` is not 0. Returns 0; -1 when the file cannot be written, and in a
 * forked child. Where another living process writes to FILE.json it is FILE.PID.json. */
int cugrb_trace_start(const char* target, int summary);
void cugrb_trace_stop(void);

/* What the exit summary says so far: calls, time and bytes by function and place, reasons with counts. As
 * cugrb_where; "" where no summary was asked for (CUGRB_SUMMARY, cugrb_trace_start), and after GrB_finalize,
 * which prints it and begins anew. */
size_t cugrb_summary(char* text, size_t size);

/* Records in memory, of a part of the run: from cugrb_recording_start to cugrb_recording_stop those of all
 * threads are kept, each some 400 bytes. Several recordings may run at once, and a trace beside them.
 * cugrb_recording_start returns NULL when there is no memory. cugrb_recording_text gives the records so far,
 * in the order in which their calls ended, as the file of a trace has them: a JSON array of Chrome trace
 * events. It copies as cugrb_where does. A recording keeps nothing in a forked child. */
typedef struct cugrb_recording cugrb_recording;
cugrb_recording* cugrb_recording_start(void);
void cugrb_recording_stop(cugrb_recording* recording);
size_t cugrb_recording_text(const cugrb_recording* recording, char* text, size_t size);
void cugrb_recording_free(cugrb_recording* recording);

/* Who decides where the calls of the calling thread run: CUGRB_OFFLOAD (the default), predicted times, the
 * device whenever it can, or the CPU. Other threads keep what they have asked for. cugrb_set_offload returns
 * what was asked for until now, so that it can be put back; another number changes nothing. Operators and
 * types that a program makes under CUGRB_OFFLOAD=never are not known to the device, whatever is asked for
 * later. */
typedef enum {
  CUGRB_OFFLOAD_DEFAULT = 0,
  CUGRB_OFFLOAD_AUTO = 1,
  CUGRB_OFFLOAD_ALWAYS = 2,
  CUGRB_OFFLOAD_NEVER = 3
} cugrb_offload;
cugrb_offload cugrb_set_offload(cugrb_offload wanted);

/* The device: which kind, and its name ("NVIDIA H100 80GB HBM3") or why there is none. Copies the text as
 * cugrb_where does. The first call chooses the device, which takes up to a second on a GPU; GraphBLAS calls
 * do it when they first need one. A forked child has none. */
typedef enum { CUGRB_DEVICE_NONE = 0, CUGRB_DEVICE_GPU = 1, CUGRB_DEVICE_EMULATED = 2 } cugrb_device_kind;
cugrb_device_kind cugrb_device(char* text, size_t size);
/* How many devices this process uses (CUGRB_DEVICES); 0 where there is none. Chooses them as cugrb_device
 * does. */
int cugrb_device_count(void);

/* 1 when the real library has been looked for: after the first GraphBLAS call, and after the first of
 * cugrb_graphblas_path, cugrb_graphblas_version and cugrb_forward_only_reason. A program that loads GraphBLAS
 * later asks this first: called too early these settle for the library that cuGrB was built with. */
int cugrb_is_started(void);

/* Whether one line on standard error says so, with the reason, when every call is only passed on: no device,
 * another version of SuiteSparse, two copies. CUGRB_NOTICE=1 does the same. It comes at the end of GrB_init
 * where it is known by then, else when a call first asks for the device, and once. */
void cugrb_set_notice(int wanted);

/* ---- vectors of several processes, one a GPU ------------------------------------------------------------
 *
 * Collective operations on GraphBLAS vectors, from device memory to device memory by NCCL, which is opened at
 * the first call (CUGRB_NCCL names another file, or "off"). Processes are numbered ranks. Every rank makes
 * the same calls in the same order, from one thread. cugrb/distributed.hpp is the layer above, which also
 * works without GPUs.
 *
 * A communicator has a deadline in seconds. When another rank has not come to an operation that long after
 * this one's device has, the operation ends. This call or a later one then returns GrB_PANIC, and what the
 * vectors hold is unspecified. cugrb_communicator_abort ends what is under way at once; any thread may call
 * it. Functions return a GrB_Info, and cugrb_communicator_error the text that goes with the last one, or why
 * the communicator has ended, as cugrb_where does. */
struct GB_Vector_opaque;
typedef struct cugrb_communicator cugrb_communicator;
#define CUGRB_UNIQUE_ID_BYTES 128

/* Rank 0 makes an id, gives it to the others, and all ranks create the communicator with it. -1 and NULL,
 * with the reason in `text`: no NCCL, no device, a rank that is missing. */
int cugrb_unique_id(void* id, char* text, size_t size);
cugrb_communicator* cugrb_communicator_create(const void* id, int rank, int ranks, double deadline,
                                              char* text, size_t size);
void cugrb_communicator_abort(cugrb_communicator* communicator);
void cugrb_communicator_free(cugrb_communicator* communicator);
size_t cugrb_communicator_error(const cugrb_communicator* communicator, char* text, size_t size);

/* all(r stride + k) = local(k) of rank r. `local` has at most `stride` positions, each with an entry, and
 * `all` has ranks * stride; what it holds where no rank has a position is unspecified. Between start and
 * finish the program's calls run beside it. Both return before the device is done. GrB_INVALID_VALUE: an
 * entry is missing, or sizes or types do not fit. */
int cugrb_all_gather_start(cugrb_communicator* communicator, struct GB_Vector_opaque* local, uint64_t stride);
int cugrb_all_gather_finish(cugrb_communicator* communicator, struct GB_Vector_opaque* all);
/* The same of the entries alone: counts[r] of rank r. `all` has no others afterwards. */
int cugrb_all_gather_entries(cugrb_communicator* communicator, struct GB_Vector_opaque* all,
                             struct GB_Vector_opaque* local, uint64_t stride, const uint64_t* counts);
/* part(k) = all(r stride + k), combined over the ranks, for this rank's number r. `all` has ranks * stride
 * positions, each with an entry. Values are integers of 8, 32 or 64 bits or floats. Exact for integers; of
 * floats the order of a sum is NCCL's. */
typedef enum { CUGRB_PLUS = 0, CUGRB_MIN = 1 } cugrb_reduction;
int cugrb_reduce_scatter(cugrb_communicator* communicator, struct GB_Vector_opaque* part,
                         struct GB_Vector_opaque* all, uint64_t stride, cugrb_reduction reduction);

#ifdef __cplusplus
}
#endif
