/* A fleet of simulated TX40 with small production scatter, one worn, one that carries too much. */
#ifndef TEST_HERD_H
#define TEST_HERD_H

typedef struct {
  int count;  // robots: arm1, arm2, ...
  int worn;   // whose joint 3 has more friction: Fv3 and Fc3 times wear; 0: nobody's
  double wear;
  int loaded;   // with this mass on the last link, 80 mm from the wrist; 0: nobody
  double mass;  // [kg]
} herd_options;

/* Record their logs, and write the manifest fleet.yaml, into the temporary directory of the test.
 */
void herd_record(const herd_options *o);

#endif
