! Heat conduction in a rod, as in heat.c, in Fortran. Its regions cannot be named: what #pragma cll is to C, no
! line is to Fortran. But its calls of MPI are logged without compiling it again, and a campaign fits what
! the whole run takes.
!
! Shows: the log of calls of a Fortran program; a model of a program that nobody has annotated.
!
!   mpifort -O2 examples/mpi/heat.f90 -o heat
!   cll run -n 2 --log ./heat 100000
!   cll campaign run --vary N=2000000:16000000:*2 -n 1,2 -- ./heat {N}
!   cll fit heat.campaign --formula 'run[0] + run[1]*N/P' --hold-out N=16000000
program heat
   use mpi
   implicit none
   integer, parameter :: steps = 20
   double precision, parameter :: pi = 3.14159265358979323846d0
   integer :: n, me, p, error, first, last, count, k, i, left, right, wrong, all_wrong
   character(len=32) :: word
   double precision :: factor, expected
   double precision, allocatable :: old(:), new(:)

   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
   call MPI_Comm_size(MPI_COMM_WORLD, p, error)
   n = 4096
   if (command_argument_count() > 0) then
      call get_command_argument(1, word)
      read (word, *) n
   end if
   first = int(int(n, 8) * me / p)
   last = int(int(n, 8) * (me + 1) / p)
   count = last - first
   allocate (old(0:count + 1), new(0:count + 1))
   do i = 0, count + 1
      old(i) = sin(pi * (first + i) / (n + 1))
   end do
   left = merge(me - 1, MPI_PROC_NULL, me > 0)
   right = merge(me + 1, MPI_PROC_NULL, me < p - 1)
   do k = 1, steps
      new(0) = 0
      new(count + 1) = 0
      do i = 1, count
         new(i) = old(i) + 0.25d0 * (old(i - 1) - 2 * old(i) + old(i + 1))
      end do
      call MPI_Sendrecv(new(1), 1, MPI_DOUBLE_PRECISION, left, 0, new(count + 1), 1, MPI_DOUBLE_PRECISION, &
                        right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call MPI_Sendrecv(new(count), 1, MPI_DOUBLE_PRECISION, right, 1, new(0), 1, MPI_DOUBLE_PRECISION, &
                        left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call exchange(old, new)
   end do
   ! sin(pi x) decays by the same factor in each step.
   factor = (1 - 0.5d0 * (1 - cos(pi / (n + 1))))**steps
   wrong = 0
   do i = 1, count
      expected = factor * sin(pi * (first + i) / (n + 1))
      if (abs(old(i) - expected) > 1d-9) wrong = wrong + 1
   end do
   call MPI_Reduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
   if (me == 0) print '(a, i0, a, i0, a, i0, a)', 'heat: ', n, ' points on ', p, ' processes, ', all_wrong, ' wrong'
   call MPI_Finalize(error)
   if (me == 0 .and. all_wrong > 0) stop 1

contains

   subroutine exchange(a, b)
      double precision, allocatable, intent(inout) :: a(:), b(:)
      double precision, allocatable :: kept(:)
      call move_alloc(a, kept)
      call move_alloc(b, a)
      call move_alloc(kept, b)
   end subroutine exchange
end program heat
