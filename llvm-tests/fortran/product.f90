! Products of assumed-shape matrices: descriptors say how far elements are apart, and new loops run where these lie side by side.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module products
contains
  subroutine product(a, b, c)
    real(8), intent(in) :: a(:,:), b(:,:)
    real(8), intent(inout) :: c(:,:)
    integer :: i, j, k
    ! CHECK: remark: loops i, j, k tiled {{.*}} in vectors; {{.*}} in registers
    do i = 1, size(c, 1)
      do j = 1, size(c, 2)
        do k = 1, size(a, 2)
          c(i,j) = c(i,j) + a(i,k) * b(k,j)
        end do
      end do
    end do
  end subroutine
  subroutine both(a, b, c, d)
    real(8), intent(in) :: a(:,:), b(:,:)
    real(8), intent(inout) :: c(:,:), d(:,:)
    integer :: i, j, k
    ! CHECK: remark: loops {{.*}} tiled {{.*}} in vectors
    do j = 1, size(c, 2)
      do i = 1, size(c, 1)
        do k = 1, size(a, 1)
          c(i,j) = c(i,j) + a(k,i) * b(k,j)
        end do
      end do
    end do
    do i = 1, size(d, 1)
      do j = 1, size(d, 2)
        do k = 1, size(c, 2)
          d(i,j) = d(i,j) + c(i,k) * a(j,k)
        end do
      end do
    end do
  end subroutine
  subroutine show(name, x)
    character(*), intent(in) :: name
    real(8), intent(in) :: x(:,:)
    integer(8) :: bits
    integer :: i, j
    bits = 0
    do j = 1, size(x, 2)
      do i = 1, size(x, 1)
        bits = ieor(bits * 31_8, transfer(x(i,j), 0_8))
      end do
    end do
    print '(a, 2i6, z18.16)', name, size(x, 1), size(x, 2), bits
  end subroutine
  subroutine fill(x, seed)
    real(8), intent(out) :: x(:,:)
    integer, intent(in) :: seed
    integer :: i, j
    do j = 1, size(x, 2)
      do i = 1, size(x, 1)
        x(i,j) = real(mod(i * 37 + j * 101 + seed, 211), 8) / 7.0d0
      end do
    end do
  end subroutine
end module
program main
  use products
  implicit none
  integer, parameter :: sizes(8) = [0, 1, 2, 3, 17, 64, 131, 260]
  real(8), allocatable :: a(:,:), b(:,:), c(:,:), d(:,:)
  integer :: s, n
  do s = 1, size(sizes)
    n = sizes(s)
    allocate(a(2*n+2, 2*n+2), b(2*n+2, 2*n+2), c(2*n+2, 2*n+2), d(2*n+2, 2*n+2))
    call fill(a, 1)
    call fill(b, 2)
    call fill(c, 3)
    call fill(d, 4)
    call product(a(1:n,1:n), b(1:n,1:n), c(1:n,1:n))
    call show('parts', c)
    call product(a(1:n,1:n+1), b(2:n+2,1:n), c(1:n,1:n))
    call show('oblong', c)
    call product(a(1:2*n:2,1:n), b(1:n,1:n), c(1:n,1:2*n:2))
    call show('every other', c)
    call product(a(n:1:-1,1:n), b(1:n,n:1:-1), c(n:1:-1,n:1:-1))
    call show('backwards', c)
    call both(a, b, c, d)
    call show('both', d)
    call product(reshape(a, [n, n]), b(1:n,:), c(1:n,:))
    call show('copied', c)
    deallocate(a, b, c, d)
  end do
end program
