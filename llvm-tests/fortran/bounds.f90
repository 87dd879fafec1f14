! Arrays that begin with any index, of 4 byte elements, of integers, and vectors, all with assumed shape.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module bounds
contains
  subroutine product(n, a, b, c)
    integer, intent(in) :: n
    real(4), intent(in) :: a(0:,0:), b(-1:,2:)
    real(4), intent(inout) :: c(0:,-3:)
    integer :: i, j, k
    ! CHECK: remark: loops i, j, k tiled {{.*}} in registers
    do i = 0, n - 1
      do j = 0, n - 1
        do k = 0, n - 1
          c(i,j-3) = c(i,j-3) + a(i,k) * b(k-1,j+2)
        end do
      end do
    end do
  end subroutine
  subroutine count_up(a, b)
    integer, intent(inout) :: a(:,:)
    integer, intent(in) :: b(:,:)
    integer(8) :: i, j
    ! CHECK: remark: loops i, j tiled
    do i = 1, size(a, 1, 8)
      do j = 1, size(a, 2, 8)
        a(i,j) = a(i,j) + b(j,i)
      end do
    end do
  end subroutine
end module
program main
  use bounds
  implicit none
  integer, parameter :: sizes(7) = [0, 1, 2, 3, 5, 34, 130]
  real(4), allocatable :: a(:,:), b(:,:), c(:,:)
  integer, allocatable :: m(:,:), l(:,:)
  integer :: s, n, i, j
  integer(8) :: bits
  do s = 1, size(sizes)
    n = sizes(s)
    a = reshape([(real(mod(i * 37, 101), 4), i = 1, (2*n+2)**2)], [2*n+2, 2*n+2])
    b = transpose(a) + 0.5
    c = 2.0 * a - b
    m = int(a)
    l = int(b)
    call product(n, a, b, c)
    call product(n, a(2:,2:), b(:n,:n), c(1:2*n:2,:))
    call product(n, a(n:1:-1,:), b, c(:,2*n:1:-1))
    call count_up(m, l)
    call count_up(m(1:n,1:n+1), l(2:n+2,1:n))
    call count_up(m(1:2*n:2,:n), l(:n,n:1:-1))
    bits = 0
    do j = 1, size(c, 2)
      do i = 1, size(c, 1)
        bits = ieor(bits * 31_8, int(transfer(c(i,j), 0_4), 8)) + m(i,j)
      end do
    end do
    print '(i5, z18.16)', n, bits
  end do
end program
