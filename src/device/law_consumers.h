/* What drive laws are functions of, and what computes with them: see law_formulas.inc. */
#ifndef DEVICE_LAW_CONSUMERS_H
#define DEVICE_LAW_CONSUMERS_H

/* What a law is a function of. */
enum {
  USES_NOTHING = 0,
  USES_SPEED = 1,
  USES_ACCELERATION = 2,
  USES_POSITION = 4,
  USES_SIGN = 8,         /* the smoothed sign of the speed */
  USES_LOAD = 16,        /* the torque that the gear transmits */
  USES_STATE = 32,       /* a state of its own */
  USES_TIME = 64,        /* the state changes with the time since the robot was started */
  USES_TEMPERATURE = 128 /* the state is a function of the motor's temperature */
};

/* What computes with laws. */
enum {
  LAW_IN_DYNAMICS = 1, /* regressor, inverse and forward dynamics, derivatives */
  LAW_IN_LANES = 2,    /* plants of simulations */
  LAW_IN_CODE = 4,     /* generated C code */
  LAW_IN_GRAM = 8,     /* a device that scores and repairs motions */
  LAW_IN_LOOP = 16,    /* a device that simulates closed loops */
  LAW_CONSUMERS = 5,
  LAW_ON_DEVICE = LAW_IN_GRAM | LAW_IN_LOOP,
  LAW_ON_HOST = LAW_IN_DYNAMICS | LAW_IN_LANES | LAW_IN_CODE,
  LAW_EVERYWHERE = LAW_ON_HOST | LAW_ON_DEVICE
};

#endif
