! Loops are called by their variables, also those around others.
!
! RUN: %loopwright-flang -O3 -g -Rpass=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s
! CHECK: names.f90:[[#@LINE+4]]:{{[0-9]+}}: remark: loops i, j
subroutine names(n, a, b)
  integer :: n, i, j
  real(8) :: a(n,n), b(n,n)
  do i = 1, n
    do j = 1, n
      a(i,j) = a(i,j) + b(j,i)
    end do
  end do
end subroutine
