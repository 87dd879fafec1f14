! Assignments under a mask, triangles by forall, sums along columns and rows.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module masks
contains
  subroutine positive(steps, a, b)
    integer, intent(in) :: steps
    real(8), intent(inout) :: a(:,:), b(:,:)
    integer :: t
    do t = 1, steps
      where (b > 50.0d0)
        a = a + b * 0.5d0
      elsewhere
        a = a - 1.0d0
      end where
    end do
  end subroutine
  subroutine triangles(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n,n), b(n,n)
    integer :: i, j, k
    ! CHECK: remark: {{.*}}loops i0, i1 tiled
    forall (i = 1:n, j = 1:n, j >= i) a(i,j) = b(j,i)
    ! CHECK: remark: {{.*}}loops i, j, k tiled {{.*}} in registers
    do i = 1, n
      do j = 1, i
        do k = 1, j
          a(i,j) = a(i,j) + b(i,k) * b(j,k)
        end do
      end do
    end do
  end subroutine
  subroutine sums(a, rows, columns)
    real(8), intent(in) :: a(:,:)
    real(8), intent(inout) :: rows(:), columns(:)
    integer :: i, j
    ! CHECK: remark: {{.*}}loops i, j; i in vectors
    do i = 1, size(a, 1)
      do j = 1, size(a, 2)
        rows(i) = rows(i) + a(i,j)
        columns(j) = columns(j) + a(i,j) * 0.5d0
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
  use masks
  implicit none
  integer, parameter :: sizes(7) = [0, 1, 2, 3, 5, 34, 130]
  real(8), allocatable :: a(:,:), b(:,:), r(:), c(:)
  integer :: s, n, i
  do s = 1, size(sizes)
    n = sizes(s)
    a = reshape([(real(mod(i * 37, 101), 8), i = 1, n*n)], [n, n])
    b = transpose(a) + 1.0d0
    r = [(real(i, 8), i = 1, 2*n)]
    c = 3.0d0 * r
    call positive(3, a, b)
    call triangles(n, a, b)
    call sums(a, r(1:n), c(1:n))
    call sums(b(n:1:-1,:), r(1:2*n:2), c(n+1:2*n))
    print '(i5, 3z18.16)', n, bits_of(a, size(a)), bits_of(r, size(r)), bits_of(c, size(c))
  end do
end program
