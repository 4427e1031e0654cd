module heat
  implicit none
  interface solve
    module procedure solve_real
    subroutine elsewhere(a)
      real :: a
    end subroutine elsewhere
  end interface
  type :: grid
    real, allocatable :: do(:)
  end type grid
contains
  pure real(kind=8) function dot(a, b) &
      result(total)
    real(kind=8), intent(in) :: a(:), b(:)
    integer :: i
    character(len=20) :: s = "do i = 1, 10 ! no"
    total = 0
    outer: do i = 1, size(a)   ! end do
      if (a(i) > 0) exit outer
      do while (total < 0)
        total = total + 1; end do
      DO CONCURRENT (j = 1:3)
        total = total + a(i) * &
          ! a comment between
          & b(i)
      enddo
    END DO outer
    do
      exit
    end do
  END FUNCTION dot

  recursive subroutine solve_real
    do_count = f(a, b)
    s = 'it''s & not &
        &done: do i = 1, 3'
    do 10 i = 1, 3
    do 10 j = 1, 3
10  continue
    do i = 1, 3; do j = 1, 3
      x = i
    end do; end do
  contains
    subroutine inner() bind(c, name='x')
    end
  end subroutine
end module
