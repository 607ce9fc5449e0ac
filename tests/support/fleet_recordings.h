/* A fleet of simulated TX40 with small production scatter; one robot is worn, one carries an extra
 * mass. */
#ifndef TEST_FLEET_RECORDINGS_H
#define TEST_FLEET_RECORDINGS_H

typedef struct {
  int count;  // robots: arm1, arm2, ...
  int worn;   // robot whose joint 3 has more friction: Fv3 and Fc3 times wear; 0: none
  double wear;
  int loaded;   // robot with an extra mass on its last link, 80 mm from the wrist; 0: none
  double mass;  // [kg]
} fleet_options;

/* Simulate and save their recordings, and write the manifest fleet.yaml, in the temporary directory
 * of the test. */
void fleet_record(const fleet_options *o);

#endif
