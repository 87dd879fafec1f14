program max
  !$assume n >= 0
  r = 0
  do i = 1, n
    if (r < x(i)) then
      r = x(i)
    endif
  enddo
end
