module heat
contains
  subroutine sweep(n)
    integer, intent(in) :: n
    integer, volatile :: i
    i = n
    call probe ! the call
    i = i + 1
  end subroutine
end module

subroutine outside(n)
  use heat
  integer, intent(in) :: n
  integer, volatile :: i
  call inner
  i = n
contains
  subroutine inner
    call sweep(n) ! of sweep
    i = i + 1
  end subroutine
end subroutine

program main
  integer, volatile :: k
  k = 3
  call outside(k) ! of outside
  k = 4
end program
