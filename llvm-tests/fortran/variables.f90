! Allocatable variables of a module: their descriptors are global variables, which the loops might write as far as LLVM knows.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module variables
  real(8), allocatable :: a(:,:), b(:,:), c(:,:), x(:), y(:)
contains
  subroutine product
    integer :: i, j, k
    ! CHECK: remark: loops i, j, k tiled {{.*}} in registers
    do i = 1, size(c, 1)
      do j = 1, size(c, 2)
        do k = 1, size(a, 2)
          c(i,j) = c(i,j) + a(i,k) * b(k,j)
        end do
      end do
    end do
  end subroutine
  subroutine apply(n)
    integer, intent(in) :: n
    integer :: i, j
    ! CHECK: remark: loops i, j; i in vectors
    do i = 1, n
      do j = 1, n
        y(i) = y(i) + a(i,j) * x(j)
      end do
    end do
  end subroutine
  integer(8) function bits_of(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer :: i
    bits_of = 0
    do i = 1, n
      bits_of = ieor(bits_of * 31_8, transfer(x(i), 0_8))
    end do
  end function
end module
program main
  use variables
  implicit none
  integer, parameter :: sizes(7) = [0, 1, 2, 3, 5, 34, 130]
  integer :: s, n, i
  do s = 1, size(sizes)
    n = sizes(s)
    a = reshape([(real(mod(i * 37, 101), 8), i = 1, n * (n+2))], [n, n+2])
    b = reshape([(real(mod(i * 31, 103), 8), i = 1, n * (n+2))], [n+2, n])
    c = a(:,1:n) - b(1:n,:)
    x = a(:,1)
    y = 2.0d0 * x
    call product
    call apply(n)
    print '(i5, 2z18.16)', n, bits_of(c, size(c)), bits_of(y, size(y))
  end do
end program
