# A motion of three joints for output error: sums of sines, from rest; t, q1..q3 at 500 Hz, 10 s.
# awk -v seed=1 -f leg_motion.awk > motion.csv
BEGIN {
  srand(seed)
  for (j = 1; j <= 3; j++) for (i = 0; i < 6; i++) phase[j, i] = 6.28319 * rand()
  print "t,q1,q2,q3"
  for (k = 0; k < 5000; k++) {
    t = k / 500
    printf "%.3f", t
    for (j = 1; j <= 3; j++) {
      sum = 0
      for (i = 0; i < 6; i++) sum += sin(6.28319 * (0.25 + 0.55 * i + 0.07 * j) * t + phase[j, i]) / (1 + 0.5 * i)
      printf ",%.9f", 0.3 + (1 - exp(-2 * t * t)) * 0.25 * sum
    }
    print ""
  }
}
