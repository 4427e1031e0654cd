C     A COMMENT: DO 10 I = 1, 3
      SUBROUTINE SWEEP(A,
     &                 N)
      DOUBLE PRECISION A(N)
      DO 20 I = 1, N
         DO 10 J = 1, N
            A(I) = A(J)
            DO 10 K = 1. 10
   10    CONTINUE
   20 A(I) = 0
      DO 30, K = 1, N
        PRINT *, 'DO ! NO'
   30 ENDDO
      DO I = 1, N
* another comment
      END DO
      RETURN
      END

      D O U B L E PRECISION FUNCTION TWICE(X)
      END DO = 3
      TWICE = 2 * X
      E N D

      X = 1
      DO 5 I = 1, 2
    5 CONTINUE
      END
