#include "app/mpi/module.h"

#include <mpi.h>

int sinew_mpi_open(void) {
  int provided = 0;
  const int code = MPI_Init_thread(0, 0, MPI_THREAD_FUNNELED, &provided);
  if (code != MPI_SUCCESS) return code;
  return provided >= MPI_THREAD_FUNNELED ? 0 : 1;
}

int sinew_mpi_rank(void) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int sinew_mpi_size(void) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

int sinew_mpi_allgather(const double* mine, int count, double* all) {
  return MPI_Allgather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE, MPI_COMM_WORLD);
}

int sinew_mpi_largest(int mine, int* largest) {
  return MPI_Allreduce(&mine, largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

void sinew_mpi_close(void) { MPI_Finalize(); }
