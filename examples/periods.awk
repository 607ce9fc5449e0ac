# periods.awk: a motion of six joints that repeats, 500 Hz, as CSV.
#
#   awk -v periods=5 -f periods.awk > repeated.csv
#
# Each joint is a sum of five harmonics with a period of 4 s.
BEGIN {
  if (!periods) periods = 5
  joints = 6; rate = 500; period = 4; turn = 6.283185307179586
  line = "t"
  for (j = 1; j <= joints; j++) line = line ",q" j
  print line
  for (k = 0; k < periods * period * rate; k++) {
    t = k / rate
    line = sprintf("%.6f", t)
    for (j = 1; j <= joints; j++) {
      q = 0
      for (h = 1; h <= 5; h++) q += 0.5 / h * sin(turn * h * t / period + 1.7 * h * j)
      line = line sprintf(",%.15g", q)
    }
    print line
  }
}
