C     LOOPS WITH LABELS, TABS AND A COMMENT WITH DO 10 I = 1, N
      SUBROUTINE DEEP(A, N)
      REAL A(N,N)
      DO 30 I = 1, N
	DO 20 J = 1, N
	DO 10 K = 1,
	1 N
10	A(J,K) = A(J,K) + 1
20	CONTINUE
#ifdef CHECK
      DO 25 J = 1, N
   25 IF (A(I,J) .LT. 0) STOP 'DO 30'
#endif
   30 CONTINUE
      DO 40 I = 1.5
      DO WHILE (X .GT. 0)
        X = X - 1
      END DO
      END
