! Insertion sort: each number is compared with those before it until one is not larger. The loop has a bound, and `found` ends its work early.
program insertion
  !$assume n >= 0
  do i = 2, n
    v = a(i)
    found = 0
    do j = i, 2, -1
      if (found == 0) then
        if (a(j - 1) > v) then
          a(j) = a(j - 1)
          a(j - 1) = v
        else
          found = 1
        endif
      endif
    enddo
  enddo
end
