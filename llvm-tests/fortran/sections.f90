! Array expressions and sections, of which the compiler makes the loops.
!
! RUN: mkdir -p %t.mod
! RUN: flang-22 -O3 %s -o %t.plain -J %t.mod && %t.plain > %t.expected
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright %s -o %t.with -J %t.mod 2>&1 | FileCheck %s
! RUN: env LOOPWRIGHT_OPTIONS=min-work=0 %loopwright-flang -O3 -fopenmp %s -o %t.threads -J %t.mod
! RUN: %t.with | diff %t.expected -
! RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
module sections
contains
  subroutine sums(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n,n), b(n,n), c(n,n)
    a = b + transpose(c) * 2.0d0
    a(2:n-1,:) = b(1:n-2,:) + b(3:n,:)
    b(:,1:n-1) = b(:,1:n-1) + a(:,2:n) * c(:,1:n-1)
  end subroutine
  subroutine transposed(a, b)
    real(8), intent(inout) :: a(:,:)
    real(8), intent(in) :: b(:,:)
    integer :: i, j
    ! CHECK: remark: loops i, j tiled {{.*}} in vectors
    do i = 1, size(a, 1)
      do j = 1, size(a, 2)
        a(i,j) = a(i,j) + b(j,i)
      end do
    end do
  end subroutine
  subroutine smooth(steps, a)
    integer, intent(in) :: steps
    real(8), intent(inout) :: a(:,:)
    real(8) :: b(size(a, 1), size(a, 2))
    integer :: t, n, m
    n = size(a, 1)
    m = size(a, 2)
    b = a
    ! CHECK: remark: loops i0, 2*i0 + i1 + 1, 2*i0 + i2 + 1 tiled {{.*}} in vectors
    do t = 1, steps
      b(2:n-1,2:m-1) = 0.25d0 * (a(1:n-2,2:m-1) + a(3:n,2:m-1) + a(2:n-1,1:m-2) + a(2:n-1,3:m))
      a(2:n-1,2:m-1) = 0.25d0 * (b(1:n-2,2:m-1) + b(3:n,2:m-1) + b(2:n-1,1:m-2) + b(2:n-1,3:m))
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
  use sections
  implicit none
  integer, parameter :: sizes(7) = [0, 1, 2, 3, 5, 34, 130]
  real(8), allocatable :: a(:,:), b(:,:), c(:,:)
  integer :: s, n, i
  do s = 1, size(sizes)
    n = sizes(s)
    a = reshape([(real(mod(i * 37, 101), 8), i = 1, (2*n+2)**2)], [2*n+2, 2*n+2])
    b = transpose(a) + 1.0d0
    c = 2.0d0 * a - b
    call sums(2*n+2, a, b, c)
    print '(a, i5, z18.16)', 'sums', n, bits_of(a, size(a))
    call transposed(a(1:n,1:n+1), b(1:n+1,1:n))
    call transposed(a(1:2*n:2,n:1:-1), b(2:n+1,2:n+1))
    print '(a, i5, z18.16)', 'transposed', n, bits_of(a, size(a))
    call smooth(n, a)
    call smooth(3, b(1:n,1:2*n:2))
    print '(a, i5, 2z18.16)', 'smooth', n, bits_of(a, size(a)), bits_of(b, size(b))
  end do
end program
