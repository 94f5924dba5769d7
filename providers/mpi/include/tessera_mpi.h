/* libtessera_mpi: messages between the processes of an MPI job, for the collectives of Tessera. The engine loads it at
   run time, so that it runs where there is no MPI, and with any MPI that the library was built for.

   Functions return 0, or an error code of MPI. One thread calls at a time. None of them waits for another process but
   tesseraMpiInit and tesseraMpiFinalize. */
#ifndef TESSERA_MPI_H
#define TESSERA_MPI_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TESSERA_MPI_API __attribute__((visibility("default")))
#else
#define TESSERA_MPI_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A message on its way; its memory must stay until tesseraMpiTest says that it is done. */
typedef struct TesseraMpiRequest {
  uint64_t handle;
} TesseraMpiRequest;

typedef struct TesseraMpiJob {
  int rank;
  int size;
  int initialized_here; /* MPI was not initialized before, and tesseraMpiFinalize finalizes it */
  int threads;          /* whether any thread may call */
} TesseraMpiJob;

/* The version of MPI, as one line. */
TESSERA_MPI_API const char* tesseraMpiVersion(void);
/* Initializes MPI unless the program did, and duplicates MPI_COMM_WORLD. Collective; called once. */
TESSERA_MPI_API int tesseraMpiInit(TesseraMpiJob* job);
/* Finalizes MPI if tesseraMpiInit initialized it and nobody finalized it since. */
TESSERA_MPI_API void tesseraMpiFinalize(void);
/* Start sending or receiving so many bytes. Messages between two ranks with one tag arrive in order. */
TESSERA_MPI_API int tesseraMpiSend(const void* data, int bytes, int to, int tag, TesseraMpiRequest* request);
TESSERA_MPI_API int tesseraMpiReceive(void* data, int bytes, int from, int tag, TesseraMpiRequest* request);
/* Whether a message is done; the request is released then, and after an error. */
TESSERA_MPI_API int tesseraMpiTest(TesseraMpiRequest* request, int* done);
/* What MPI says about an error code. `text` has room for `room` bytes and ends with a zero. */
TESSERA_MPI_API void tesseraMpiErrorText(int code, char* text, size_t room);

#ifdef __cplusplus
}
#endif

#endif
