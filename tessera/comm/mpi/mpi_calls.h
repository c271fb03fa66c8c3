#ifndef TESSERA_COMM_MPI_MPI_CALLS_H
#define TESSERA_COMM_MPI_MPI_CALLS_H

/* What Tessera needs of MPI, behind a table in C: the plugin that holds it is the only thing that is compiled for one
   implementation of MPI, and it is opened only where a program runs on several ranks. */

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_MPI_CALLS_VERSION 3

/* An MPI_Request or MPI_Comm of whatever size it has. */
typedef struct {
  void* bits;
} tessera_mpi_handle;

struct tessera_mpi_status {
  int index;       /* Of the request in the array that was asked about. */
  int source;      /* Rank, for a receive. */
  long long bytes; /* That arrived, for a receive. */
  int error;       /* 0: all is well. */
};

/* Functions return 0, or an error that `text_of` describes. Calls come from one thread at a time. */
struct tessera_mpi_calls {
  int version;
  /* Initialises MPI unless it is; `ours` is not 0 if it was done here, `level` is 0 if threads may not call it in turn.
   */
  int (*begin)(int* ours, int* level);
  int (*end)(void);
  /* Not 0 once MPI may not be called any more. */
  int (*is_over)(void);
  /* Makes a communicator of Tessera's own over the ranks of `given`, or over all of them if it is null. Collective;
     `comm` is not valid, and must stay where it is, until `request` has ended. */
  int (*open)(const tessera_mpi_handle* given, tessera_mpi_handle* comm, tessera_mpi_handle* request);
  /* What a new communicator is like; errors in it are returned from now on. */
  int (*look_at)(tessera_mpi_handle comm, int* rank, int* size, int* most_tag);
  int (*close)(tessera_mpi_handle comm);
  /* `all` gets what every rank gives, in their order, when `request` has ended. Collective. */
  int (*gather)(tessera_mpi_handle comm, const void* mine, int bytes, void* all, tessera_mpi_handle* request);
  int (*send)(tessera_mpi_handle comm, const void* data, int bytes, int peer, int tag, tessera_mpi_handle* request);
  /* From any rank if `peer` is negative. */
  int (*receive)(tessera_mpi_handle comm, void* data, int bytes, int peer, int tag, tessera_mpi_handle* request);
  /* Those of `count` requests that have ended since; they must not be asked about again. */
  int (*test)(int count, tessera_mpi_handle* requests, int* ended, struct tessera_mpi_status* statuses);
  /* Takes a receive back, unless it has ended; afterwards its memory is not touched any more. Waits for one that has
     begun to arrive. */
  int (*cancel)(tessera_mpi_handle* request);
  /* Takes a receive back without waiting: one that has begun to arrive goes on, and ends as any other. */
  int (*give_up)(tessera_mpi_handle request);
  void (*text_of)(int error, char* text, int room);
};

/* The only symbol of the plugin. */
const struct tessera_mpi_calls* tessera_mpi(void);

#ifdef __cplusplus
}
#endif

#endif
