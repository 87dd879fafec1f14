! Triangular loops over assumed-shape arrays: Cholesky's factors, LU without pivots, and a triangular product.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module factors
contains
  subroutine lu(a)
    real(8), intent(inout) :: a(:,:)
    integer :: i, j, k
    ! CHECK: remark: loops k, k + j, k + i tiled
    do k = 1, size(a, 1)
      do i = k + 1, size(a, 1)
        a(i,k) = a(i,k) / a(k,k)
      end do
      do j = k + 1, size(a, 1)
        do i = k + 1, size(a, 1)
          a(i,j) = a(i,j) - a(i,k) * a(k,j)
        end do
      end do
    end do
  end subroutine
  subroutine triangular(a, b)
    real(8), intent(in) :: a(:,:)
    real(8), intent(inout) :: b(:,:)
    integer :: i, j, k
    do i = 1, size(b, 1)
      do j = 1, size(b, 2)
        do k = i + 1, size(a, 1)
          b(i,j) = b(i,j) + a(k,i) * b(k,j)
        end do
        b(i,j) = 1.5d0 * b(i,j)
      end do
    end do
  end subroutine
  subroutine ranked(a, c)
    real(8), intent(in) :: a(:,:)
    real(8), intent(inout) :: c(:,:)
    integer :: i, j, k
    ! CHECK: remark: loops i, j, k tiled {{.*}} in registers
    do i = 1, size(c, 1)
      do j = 1, i
        do k = 1, size(a, 2)
          c(i,j) = c(i,j) + a(i,k) * a(j,k)
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
  use factors
  implicit none
  integer, parameter :: sizes(7) = [0, 1, 2, 3, 5, 34, 130]
  real(8), allocatable :: a(:,:), b(:,:)
  integer :: s, n, i
  do s = 1, size(sizes)
    n = sizes(s)
    a = reshape([(real(mod(i * 37, 101), 8), i = 1, (2*n+2)**2)], [2*n+2, 2*n+2])
    do i = 1, 2 * n + 2
      a(i,i) = a(i,i) + 1000.0d0
    end do
    b = transpose(a) + 1.0d0
    call ranked(a(1:n,1:n+1), b(1:n,1:n))
    call triangular(a(1:n,1:n), b(1:n,1:n+2))
    call triangular(a(1:n,1:n), b(1:2*n:2,1:n))
    call lu(a)
    call lu(b(1:n,n:1:-1))
    print '(i5, 2z18.16)', n, bits_of(a, size(a)), bits_of(b, size(b))
  end do
end program
