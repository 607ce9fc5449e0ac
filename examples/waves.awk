# waves.awk: a smooth motion of six joints (or as many as given) with its derivatives, 10 s at 500 Hz, as CSV.
#
#   awk -f waves.awk > motion.csv
#   awk -v start=20 -f waves.awk > other.csv
#   awk -v joints=7 -f waves.awk > seven.csv
#
# Each joint is a sum of four sines. All joints have different frequencies, so that another start time
# [s] gives another motion.
BEGIN {
  if (!joints) joints = 6
  sines = 4; rate = 500; seconds = 10; turn = 6.283185307179586
  line = "t"
  for (j = 1; j <= joints; j++) line = line ",q" j
  for (j = 1; j <= joints; j++) line = line ",dq" j
  for (j = 1; j <= joints; j++) line = line ",ddq" j
  print line
  for (k = 0; k < seconds * rate; k++) {
    t = k / rate
    for (j = 1; j <= joints; j++) {
      q[j] = dq[j] = ddq[j] = 0
      for (s = 1; s <= sines; s++) {
        w = turn * (0.11 + 0.31 * (s - 1) + 0.043 * j)
        a = 0.9 / s
        x = w * (t + start) + 1.7 * s * j
        q[j] += a * sin(x)
        dq[j] += a * w * cos(x)
        ddq[j] -= a * w * w * sin(x)
      }
    }
    line = sprintf("%.6f", t)
    for (j = 1; j <= joints; j++) line = line sprintf(",%.15g", q[j])
    for (j = 1; j <= joints; j++) line = line sprintf(",%.15g", dq[j])
    for (j = 1; j <= joints; j++) line = line sprintf(",%.15g", ddq[j])
    print line
  }
}
