program sum
  !$assume n >= 0
  s = 0
  do i = 1, n
    s = s + x(i)
  enddo
end
