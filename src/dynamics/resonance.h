/* Resonances of elastic joints: where a model of rigid joints ends. */
#ifndef DYNAMICS_RESONANCE_H
#define DYNAMICS_RESONANCE_H

#include <roberval/sys/dynamics.h>

#define RBV_RIGID_SHARE 0.5  // of the first resonance: below, joints are as good as rigid

/* Frequencies [Hz], ascending; count is the number of joints with a stiffness. */
typedef struct {
  int count;
  double *held;  // rotors held, as by a stiff controller: links on their springs
  double *free;  // rotors free; infinite where a rotor has no inertia
} rbv_resonances;

/*
 * At a position q of the joints, from the parameters of the links, the rotors (Ia) and the springs
 * (Kj, at zero deflection). Refused: links without a positive mass matrix.
 */
RBV_MUST_CHECK rbv_status rbv_resonances_find(rbv_resonances *out, const rbv_model *model,
                                              const double *chi, bool loaded, const double *q);
void rbv_resonances_free(rbv_resonances *r);

#endif
