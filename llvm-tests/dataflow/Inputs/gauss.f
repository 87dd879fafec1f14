! Gauss elimination: the largest number of a column comes into the diagonal, by exchanging rows one after the other, before the rows below are cleared.
program gauss
  !$assume n >= 0
  do k = 1, n
    do i = k + 1, n
      if (abs(a(i, k)) > abs(a(k, k))) then
        do j = k, n
          t = a(k, j)
          a(k, j) = a(i, j)
          a(i, j) = t
        enddo
      endif
    enddo
    do i = k + 1, n
      f = a(i, k) / a(k, k)
      do j = k, n
        a(i, j) = a(i, j) - f * a(k, j)
      enddo
    enddo
  enddo
end
