program main
  use field
  implicit none
  integer, parameter :: n = 120
  double precision, allocatable :: a(:, :), b(:, :), c(:, :)
  integer :: i, j
  allocate(a(n, n), b(n, n), c(n, n))
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * 31 + j * 17, 101) / 101.0d0
      b(i, j) = a(i, j)
      c(i, j) = 0
    end do
  end do
  call spread(a, b, n, 10)
  call times(a, b, c, n)
  print '(2es26.17)', sum(c), c(3, 5)
end program
