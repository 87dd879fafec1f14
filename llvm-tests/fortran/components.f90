! Allocatable components of a derived type: where the arrays are, how long their columns, and with which index they begin, stands in memory.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module grids
  type grid
    integer :: n
    real(8), allocatable :: u(:,:), v(:,:)
  end type
contains
  subroutine smooth(g, steps)
    type(grid), intent(inout) :: g
    integer, intent(in) :: steps
    integer :: t, i, j
    ! CHECK: remark: loops i0, 2*i0 + j + 1, 2*i0 + i + 1 tiled {{.*}} in vectors
    do t = 1, steps
      do j = 2, g%n - 1
        do i = 2, g%n - 1
          g%v(i,j) = 0.25d0 * (g%u(i-1,j) + g%u(i+1,j) + g%u(i,j-1) + g%u(i,j+1))
        end do
      end do
      do j = 2, g%n - 1
        do i = 2, g%n - 1
          g%u(i,j) = g%v(i,j)
        end do
      end do
    end do
  end subroutine
  subroutine square(g)
    type(grid), intent(inout) :: g
    integer :: i, j, k
    ! CHECK: remark: loops {{.*}} tiled {{.*}} in registers
    do i = 1, g%n
      do j = 1, g%n
        do k = 1, g%n
          g%v(i,j) = g%v(i,j) + g%u(i,k) * g%u(k,j)
        end do
      end do
    end do
  end subroutine
end module
program main
  use grids
  implicit none
  integer, parameter :: sizes(6) = [0, 1, 2, 5, 64, 131]
  type(grid) :: g
  integer :: s, n, i, j, first
  integer(8) :: bits
  do s = 1, size(sizes)
    n = sizes(s)
    do first = -1, 1
      g%n = n
      allocate(g%u(first:n+1,first:n+2), g%v(first:n+3,0:n))
      do j = lbound(g%u, 2), ubound(g%u, 2)
        do i = lbound(g%u, 1), ubound(g%u, 1)
          g%u(i,j) = real(mod(i * 7 + j * 13, 29), 8)
        end do
      end do
      g%v = 1.0d0
      call smooth(g, 9)
      call square(g)
      bits = 0
      do j = 1, n
        do i = 1, n
          bits = ieor(ieor(bits * 31_8, transfer(g%u(i,j), 0_8)) * 31_8, transfer(g%v(i,j), 0_8))
        end do
      end do
      print '(2i6, z18.16)', n, first, bits
      deallocate(g%u, g%v)
    end do
  end do
end program
