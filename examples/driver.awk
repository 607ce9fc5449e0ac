# A recording as a robot driver writes it: stamps in nanoseconds, columns named by the joints.
BEGIN {
  print "stamp,elbow_position,shoulder_position,elbow_effort,shoulder_effort"
  for (k = 0; k < 500; k++) {
    t = k / 500
    printf "%d,%.9f,%.9f,%.9f,%.9f\n", 2e6 * k, sin(9 * t), sin(7 * t), cos(9 * t), cos(7 * t)
  }
}
