/* The plugin: Tessera's table of calls over the MPI at hand. */

#include "tessera/comm/mpi/mpi_calls.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(MPI_Request) <= sizeof(void*), "a request fits into a handle");
_Static_assert(sizeof(MPI_Comm) <= sizeof(void*), "a communicator fits into a handle");

static tessera_mpi_handle pack_request(MPI_Request r) {
  tessera_mpi_handle h = {NULL};
  memcpy(&h, &r, sizeof r);
  return h;
}

static MPI_Request request_in(tessera_mpi_handle h) {
  MPI_Request r;
  memcpy(&r, &h, sizeof r);
  return r;
}

static MPI_Comm comm_in(tessera_mpi_handle h) {
  MPI_Comm c;
  memcpy(&c, &h, sizeof c);
  return c;
}

static int begin(int* ours, int* level) {
  int there = 0, provided = MPI_THREAD_SINGLE;
  int error = MPI_Initialized(&there);
  *ours = !there;
  if (!error)
    error = there ? MPI_Query_thread(&provided) : MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
  *level = provided >= MPI_THREAD_SERIALIZED;
  return error;
}

static int is_over(void) {
  int gone = 0;
  MPI_Finalized(&gone);
  return gone;
}

static int end(void) { return is_over() ? MPI_SUCCESS : MPI_Finalize(); }

static int open_comm(const tessera_mpi_handle* given, tessera_mpi_handle* handle, tessera_mpi_handle* request) {
  MPI_Request made;
  memset(handle, 0, sizeof *handle);
  const int error = MPI_Comm_idup(given != NULL ? comm_in(*given) : MPI_COMM_WORLD, (MPI_Comm*)handle, &made);
  if (!error) *request = pack_request(made);
  return error;
}

static int look_at(tessera_mpi_handle handle, int* rank, int* size, int* most_tag) {
  const MPI_Comm comm = comm_in(handle);
  int* bound = NULL;
  int found = 0;
  int error = MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (!error) error = MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
  *most_tag = found ? *bound : 32767;
  if (!error) error = MPI_Comm_rank(comm, rank);
  return error ? error : MPI_Comm_size(comm, size);
}

static int close_comm(tessera_mpi_handle handle) {
  MPI_Comm comm = comm_in(handle);
  return MPI_Comm_free(&comm);
}

static int gather(tessera_mpi_handle comm, const void* mine, int bytes, void* all, tessera_mpi_handle* request) {
  MPI_Request made;
  const int error = MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm_in(comm), &made);
  if (!error) *request = pack_request(made);
  return error;
}

static int send(tessera_mpi_handle comm, const void* data, int bytes, int peer, int tag, tessera_mpi_handle* request) {
  MPI_Request made;
  const int error = MPI_Isend(data, bytes, MPI_BYTE, peer, tag, comm_in(comm), &made);
  if (!error) *request = pack_request(made);
  return error;
}

static int receive(tessera_mpi_handle comm, void* data, int bytes, int peer, int tag, tessera_mpi_handle* request) {
  MPI_Request made;
  const int error = MPI_Irecv(data, bytes, MPI_BYTE, peer < 0 ? MPI_ANY_SOURCE : peer, tag, comm_in(comm), &made);
  if (!error) *request = pack_request(made);
  return error;
}

/* Memory for questions about many requests: made larger when need be and kept, since calls come one at a time. */
static MPI_Request* all = NULL;
static MPI_Status* found = NULL;
static int* places = NULL;
static int room = 0;

static int make_room(int count) {
  if (count <= room) return 1;
  const size_t wanted = 2 * (size_t)count;
  MPI_Request* const more = realloc(all, wanted * sizeof *all);
  if (more != NULL) all = more;
  MPI_Status* const more_found = realloc(found, wanted * sizeof *found);
  if (more_found != NULL) found = more_found;
  int* const more_places = realloc(places, wanted * sizeof *places);
  if (more_places != NULL) places = more_places;
  if (more == NULL || more_found == NULL || more_places == NULL) return 0;
  room = (int)wanted;
  return 1;
}

static int test(int count, tessera_mpi_handle* requests, int* ended, struct tessera_mpi_status* statuses) {
  *ended = 0;
  if (!make_room(count)) return MPI_ERR_NO_MEM;
  for (int i = 0; i < count; ++i) all[i] = request_in(requests[i]);
  int error = MPI_Testsome(count, all, ended, places, found);
  if (*ended == MPI_UNDEFINED) *ended = 0;
  const int each_tells = error == MPI_ERR_IN_STATUS;
  if (each_tells) error = MPI_SUCCESS;
  for (int i = 0; !error && i < *ended; ++i) {
    MPI_Count bytes = 0;
    MPI_Get_elements_x(&found[i], MPI_BYTE, &bytes);
    statuses[i].index = places[i];
    statuses[i].source = found[i].MPI_SOURCE;
    statuses[i].bytes = bytes;
    statuses[i].error = each_tells ? found[i].MPI_ERROR : MPI_SUCCESS;
    requests[places[i]] = pack_request(all[places[i]]);
  }
  return error;
}

static int cancel(tessera_mpi_handle* request) {
  MPI_Request r = request_in(*request);
  if (r == MPI_REQUEST_NULL) return MPI_SUCCESS;
  int error = MPI_Cancel(&r);
  if (!error) error = MPI_Wait(&r, MPI_STATUS_IGNORE);
  *request = pack_request(r);
  return error;
}

static int give_up(tessera_mpi_handle request) {
  MPI_Request r = request_in(request);
  return r == MPI_REQUEST_NULL ? MPI_SUCCESS : MPI_Cancel(&r);
}

static void text_of(int error, char* text, int room) {
  char full[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (room <= 0) return;
  if (MPI_Error_string(error, full, &length) != MPI_SUCCESS) length = 0;
  if (length >= room) length = room - 1;
  memcpy(text, full, (size_t)length);
  text[length] = 0;
}

const struct tessera_mpi_calls* tessera_mpi(void) {
  static const struct tessera_mpi_calls calls = {
      TESSERA_MPI_CALLS_VERSION, begin, end, is_over, open_comm, look_at, close_comm, gather, send, receive, test,
      cancel, give_up, text_of};
  return &calls;
}
