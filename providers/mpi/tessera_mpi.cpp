// libtessera_mpi: messages over the MPI that this file is compiled for.
#include <cstring>
#include <string>

#include <mpi.h>
#include <tessera_mpi.h>

static_assert(sizeof(MPI_Request) <= sizeof(TesseraMpiRequest::handle));

namespace {

MPI_Comm world = MPI_COMM_NULL;  // a duplicate, so that messages of the program do not mix with ours
bool initialized_here = false;

void put(TesseraMpiRequest* to, const MPI_Request& request) {
  to->handle = 0;
  std::memcpy(&to->handle, &request, sizeof(request));
}

MPI_Request request_in(const TesseraMpiRequest& from) {
  MPI_Request request{};
  std::memcpy(&request, &from.handle, sizeof(request));
  return request;
}

std::string version_text() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "MPI";
  const std::string all(text);
  return all.substr(0, all.find_first_of(",\n"));
}

int start(TesseraMpiJob* job) {
  int given = MPI_THREAD_SINGLE;
  int before = 0;
  if (const int code = MPI_Initialized(&before); code != MPI_SUCCESS) return code;
  if (before == 0) {
    if (const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given); code != MPI_SUCCESS)
      return code;
    initialized_here = true;
  } else if (const int code = MPI_Query_thread(&given); code != MPI_SUCCESS) {
    return code;
  }
  job->initialized_here = initialized_here ? 1 : 0;
  job->threads = given >= MPI_THREAD_SERIALIZED ? 1 : 0;
  if (const int code = MPI_Comm_dup(MPI_COMM_WORLD, &world); code != MPI_SUCCESS) return code;
  if (const int code = MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN); code != MPI_SUCCESS) return code;
  if (const int code = MPI_Comm_rank(world, &job->rank); code != MPI_SUCCESS) return code;
  return MPI_Comm_size(world, &job->size);
}

}  // namespace

const char* tesseraMpiVersion() {
  static const std::string text = version_text();
  return text.c_str();
}

int tesseraMpiInit(TesseraMpiJob* job) { return start(job); }

void tesseraMpiFinalize() {
  int finalized = 0;
  if (!initialized_here || MPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0) return;
  MPI_Comm_free(&world);
  MPI_Finalize();
}

int tesseraMpiSend(const void* data, int bytes, int to, int tag, TesseraMpiRequest* request) {
  MPI_Request started{};
  const int code = MPI_Isend(data, bytes, MPI_BYTE, to, tag, world, &started);
  put(request, started);
  return code;
}

int tesseraMpiReceive(void* data, int bytes, int from, int tag, TesseraMpiRequest* request) {
  MPI_Request started{};
  const int code = MPI_Irecv(data, bytes, MPI_BYTE, from, tag, world, &started);
  put(request, started);
  return code;
}

int tesseraMpiTest(TesseraMpiRequest* request, int* done) {
  MPI_Request started = request_in(*request);
  const int code = MPI_Test(&started, done, MPI_STATUS_IGNORE);
  put(request, started);
  return code;
}

void tesseraMpiErrorText(int code, char* text, size_t room) {
  if (room == 0) return;
  char all[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  if (MPI_Error_string(code, all, &length) != MPI_SUCCESS) length = 0;
  const std::string known =
      length > 0 ? std::string(all, static_cast<size_t>(length)) : "error " + std::to_string(code);
  const size_t bytes = known.size() < room - 1 ? known.size() : room - 1;
  std::memcpy(text, known.data(), bytes);
  text[bytes] = 0;
}
