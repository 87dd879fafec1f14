! Loops whose iterations the program says to be independent, over assumed-shape arrays.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module loops
contains
  subroutine mixed(a, b, c)
    real(8), intent(inout) :: a(:,:)
    real(8), intent(in) :: b(:,:), c(:,:)
    integer :: i, j, k
    ! CHECK: remark: {{.*}}loops i, j tiled {{.*}} in vectors
    do concurrent (i = 1:size(a, 1), j = 1:size(a, 2))
      a(i,j) = b(j,i) * 2 + c(i,j)
    end do
    ! CHECK: remark: {{.*}}loops i0, i1, k tiled {{.*}} in registers
    do concurrent (i = 1:size(a, 1), j = 1:size(a, 2))
      do k = 1, size(b, 1)
        a(i,j) = a(i,j) + b(k,i) * c(k,j)
      end do
    end do
  end subroutine
  subroutine masked(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(:,:), b(:,:)
    integer :: i, j
    do concurrent (j = 1:n, i = 1:n, i <= j)
      a(i,j) = a(i,j) + b(i,j)
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
  use loops
  implicit none
  integer, parameter :: sizes(7) = [0, 1, 2, 3, 5, 34, 130]
  real(8), allocatable :: a(:,:), b(:,:), c(:,:)
  integer :: s, n, i
  do s = 1, size(sizes)
    n = sizes(s)
    a = reshape([(real(mod(i * 37, 101), 8), i = 1, (2*n+2)**2)], [2*n+2, 2*n+2])
    b = transpose(a) + 1.0d0
    c = 2.0d0 * a - b
    call mixed(a, b, c)
    call mixed(a(1:n,1:n), b(1:n,2:n+1), c(2:n+1,1:n))
    call mixed(a(1:2*n:2,1:n), b(1:n,n:1:-1), c(1:n,1:2*n:2))
    call masked(n, a, b(1:n+1,1:n+1))
    print '(i5, z18.16)', n, bits_of(a, size(a))
  end do
end program
