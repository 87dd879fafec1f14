program bubble
  !$assume n >= 0
  do i = 1, n
    do j = 1, n - i
      if (a(j) > a(j + 1)) then
        t = a(j)
        a(j) = a(j + 1)
        a(j + 1) = t
      endif
    enddo
  enddo
end
