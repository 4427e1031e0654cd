C     café: not UTF-8
      subroutine cr(n)
      do i = 1, n
        x = "ü"
      end do
      end
