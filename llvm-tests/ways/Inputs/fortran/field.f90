! A field that spreads over a square, and what two such fields are multiplied.
module field
  implicit none
contains
  subroutine spread(now, next, n, steps)
    integer, intent(in) :: n, steps
    double precision, intent(inout) :: now(n, n), next(n, n)
    integer :: t, i, j
    do t = 1, steps
      do j = 2, n - 1
        do i = 2, n - 1
          next(i, j) = 0.25d0 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1))
        end do
      end do
      do j = 2, n - 1
        do i = 2, n - 1
          now(i, j) = next(i, j)
        end do
      end do
    end do
  end subroutine

  subroutine times(a, b, c, n)
    integer, intent(in) :: n
    double precision, intent(in) :: a(n, n), b(n, n)
    double precision, intent(inout) :: c(n, n)
    integer :: i, j, k
    do i = 1, n
      do j = 1, n
        do k = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine
end module
