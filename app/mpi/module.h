/* What the optional module for MPI offers to app/cli/ranks.cpp, as plain C: the program loads it
   only when it was started by mpirun, and is linked to nothing of MPI. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* 0: all went well. Each is called by one thread. */
int sinew_mpi_open(void);
int sinew_mpi_rank(void);
int sinew_mpi_size(void);
/* `count` doubles of each process, in the order of their ranks, bit by bit. */
int sinew_mpi_allgather(const double* mine, int count, double* all);
/* The largest of what the processes say. */
int sinew_mpi_largest(int mine, int* largest);
void sinew_mpi_close(void);

#ifdef __cplusplus
}
#endif
