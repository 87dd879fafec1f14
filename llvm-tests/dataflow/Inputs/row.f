program row
  !$assume n >= 0
  found = 0
  outer: do i = 1, n
    s = 0
    do 10 j = 1, n
      if (x(i, j) < 0) cycle outer
      if (x(i, j) > 9) exit outer
      s = max(s, sqrt(x(i, j)) + mod(j, 2))
10  continue
    found = i
    r = log(exp(s))
    exit
  enddo outer
end
