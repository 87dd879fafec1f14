! Stencils on assumed-shape arrays, tiled through time: of two dimensions, of three, and with boundaries that the array itself brings along.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module stencils
contains
  subroutine two(steps, a, b)
    integer, intent(in) :: steps
    real(8), intent(inout) :: a(:,:), b(:,:)
    integer :: t, i, j, n, m
    n = size(a, 1)
    m = size(a, 2)
    ! CHECK: remark: loops {{.*}}2*i0 + i + 1{{.*}} tiled {{.*}} in vectors
    do t = 1, steps
      do i = 2, n - 1
        do j = 2, m - 1
          b(i,j) = 0.25d0 * (a(i-1,j) + a(i+1,j) + a(i,j-1) + a(i,j+1))
        end do
      end do
      do i = 2, n - 1
        do j = 2, m - 1
          a(i,j) = b(i,j)
        end do
      end do
    end do
  end subroutine
  subroutine three(steps, a, b)
    integer, intent(in) :: steps
    real(8), intent(inout) :: a(:,:,:), b(:,:,:)
    integer :: t, i, j, k
    ! CHECK: remark: loops {{.*}} tiled
    do t = 1, steps
      do k = 2, size(a, 3) - 1
        do j = 2, size(a, 2) - 1
          do i = 2, size(a, 1) - 1
            b(i,j,k) = 0.125d0 * (a(i-1,j,k) + a(i+1,j,k) + a(i,j-1,k) + a(i,j+1,k) + a(i,j,k-1) + a(i,j,k+1))
          end do
        end do
      end do
      do k = 2, size(a, 3) - 1
        do j = 2, size(a, 2) - 1
          do i = 2, size(a, 1) - 1
            a(i,j,k) = 0.125d0 * (b(i-1,j,k) + b(i+1,j,k) + b(i,j-1,k) + b(i,j+1,k) + b(i,j,k-1) + b(i,j,k+1))
          end do
        end do
      end do
    end do
  end subroutine
  subroutine seidel(steps, a)
    integer, intent(in) :: steps
    real(8), intent(inout) :: a(:,:)
    integer :: t, i, j
    do t = 1, steps
      do j = 2, size(a, 2) - 1
        do i = 2, size(a, 1) - 1
          a(i,j) = (a(i-1,j-1) + a(i,j-1) + a(i+1,j-1) + a(i-1,j) + a(i,j) + a(i+1,j) + a(i-1,j+1) + a(i,j+1) &
                    + a(i+1,j+1)) / 9.0d0
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
  use stencils
  implicit none
  integer, parameter :: sizes(7) = [0, 1, 2, 3, 5, 34, 90]
  real(8), allocatable :: a(:,:), b(:,:), c(:,:,:), d(:,:,:)
  integer :: s, n, steps, i
  do s = 1, size(sizes)
    n = sizes(s)
    do steps = 0, 21, 7
      a = reshape([(real(mod(i * 37, 101), 8), i = 1, (2*n+2)**2)], [2*n+2, 2*n+2])
      b = a
      call two(steps, a(1:n,1:n), b(2:n+1,2:n+1))
      print '(a, 2i5, z18.16)', 'two', n, steps, bits_of(a, size(a))
      call two(steps, a(1:2*n:2,1:n), b(1:n,1:2*n:2))
      print '(a, 2i5, z18.16)', 'every other', n, steps, bits_of(a, size(a))
      call two(steps, a(n:1:-1,1:n), b(1:n,n:1:-1))
      print '(a, 2i5, z18.16)', 'backwards', n, steps, bits_of(a, size(a))
      call seidel(steps, a)
      print '(a, 2i5, z18.16)', 'seidel', n, steps, bits_of(a, size(a))
    end do
    n = min(n, 40)
    do steps = 0, 6, 3
      c = reshape([(real(mod(i * 37, 101), 8), i = 1, (n+2)**2 * (2*n+2))], [n+2, n+2, 2*n+2])
      d = c
      call three(steps, c(1:n,2:n+1,1:n), d(2:n+1,1:n,1:n))
      print '(a, 2i5, z18.16)', 'three', n, steps, bits_of(c, size(c))
      call three(steps, c(1:n,1:n,1:2*n:2), d(1:n,1:n,1:n))
      print '(a, 2i5, z18.16)', 'every other', n, steps, bits_of(c, size(c))
      call three(steps, c, d)
      print '(a, 2i5, z18.16)', 'whole', n, steps, bits_of(c, size(c))
    end do
  end do
end program
