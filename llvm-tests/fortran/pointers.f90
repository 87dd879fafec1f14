! Pointers to arrays, whose elements may lie anywhere, and which may point to one another's.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module pointers
contains
  subroutine product(a, b, c)
    real(8), pointer, intent(in) :: a(:,:), b(:,:), c(:,:)
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
  subroutine relax(steps, a, b)
    integer, intent(in) :: steps
    real(8), pointer, intent(in) :: a(:,:), b(:,:)
    integer :: t, i, j
    ! CHECK: remark: loops i0, 2*i0 + j + 1, 2*i0 + i + 1 tiled
    do t = 1, steps
      do j = 2, size(a, 2) - 1
        do i = 2, size(a, 1) - 1
          b(i,j) = 0.25d0 * (a(i-1,j) + a(i+1,j) + a(i,j-1) + a(i,j+1))
        end do
      end do
      do j = 2, size(a, 2) - 1
        do i = 2, size(a, 1) - 1
          a(i,j) = b(i,j)
        end do
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
  use pointers
  implicit none
  integer, parameter :: sizes(7) = [0, 1, 2, 3, 5, 34, 130]
  real(8), allocatable, target :: x(:,:), y(:,:)
  real(8), pointer :: a(:,:), b(:,:), c(:,:)
  integer :: s, n, i
  do s = 1, size(sizes)
    n = sizes(s)
    x = reshape([(real(mod(i * 37, 101), 8), i = 1, (2*n+2)**2)], [2*n+2, 2*n+2])
    y = transpose(x) + 1.0d0
    a => x(1:n,1:n)
    b => x(2:n+1,1:n)
    c => y(1:n,1:n)
    call product(a, b, c)
    c => x(1:n,n+1:2*n)
    call product(a, b, c)
    c => x(2:n+1,2:n+1)
    call product(a, b, c)
    c => y(1:2*n:2,n:1:-1)
    call product(a, b, c)
    print '(i5, 2z18.16)', n, bits_of(x, size(x)), bits_of(y, size(y))
    a => x
    b => y
    call relax(n, a, b)
    print '(i5, 2z18.16)', n, bits_of(x, size(x)), bits_of(y, size(y))
    b => x(2*n+2:1:-1,:)
    call relax(2, a, b)
    print '(i5, 2z18.16)', n, bits_of(x, size(x)), bits_of(y, size(y))
  end do
end program
