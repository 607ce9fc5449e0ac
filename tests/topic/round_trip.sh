#!/bin/sh
# round_trip.sh ROBERVAL ROBOT LIMITS: a design is played, recorded, identified, and the robot is followed; the robot
# is reached by its topics alone. Environment: LIVE (options about topics) and PATIENT (of play).
set -eu
tool=$1 robot=$2 limits=$3
# 1. a motion that begins and ends at rest
"$tool" excite "$robot" --period 6 --harmonics 4 --periods 2 --blend 0.5 --starts 1 --budget 20 $limits \
  --coefficients motion.yaml -o motion.csv -q >design.txt
# 2. it is played while joint states are recorded
"$tool" record "$robot" --topic /joint_states $LIVE -o recording.mcap --wait 1 --json >record.json &
recorder=$!
"$tool" play "$robot" motion.yaml $limits $LIVE $PATIENT --approach --yes-move --slow 0.5 --json >play.json
kill -TERM $recorder
wait $recorder || test $? -eq 143
# 3. the parameters
"$tool" identify "$robot" recording.mcap -o result.json -q >identify.txt
# 4. the same motion again, followed with the result
"$tool" follow "$robot" result.json --topic /joint_states $LIVE --wait 3 --json >follow.json &
follower=$!
sleep 2
"$tool" play "$robot" motion.yaml $limits $LIVE $PATIENT --approach --yes-move --slow 1 -q >again.txt
kill -TERM $follower
wait $follower || test $? -eq 143
