# Converts a simulated recording to the format of the recorder in docs/tutorial.md: milliseconds,
# degrees, semicolons.
#
#   roberval simulate ... | awk -f recorder.awk > log.csv
BEGIN { FS = ","; degree = 57.29577951308232 }
/^#/ { next }  # the friction law of the simulation: no recorder knows it
NR == 1 { print "ms;j1_deg;j2_deg;j1_Nm;j2_Nm"; next }
{ printf "%.3f;%.6f;%.6f;%.6f;%.6f\n", 1000 * $1, degree * $2, degree * $3, $4, $5 }
