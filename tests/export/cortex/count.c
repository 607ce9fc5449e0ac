/*
 * Instructions and stack of the generated functions in an emulated microcontroller. The emulator
 * counts one nanosecond per instruction (-icount shift=0); SysTick has 25 MHz there, so that one of
 * its ticks is 40 instructions. Prints "name instructions stack" by semihosting.
 */
#include <string.h>

#include "arm.h"

#define CALLS 200
#define PER_TICK 40u
#define PAINTED 24000u /* bytes of the stack that are painted */
#define PAINT 0xA5u

#define SYSTICK ((volatile unsigned *)0xE000E010u)

static float q[ARM_JOINTS], dq[ARM_JOINTS], ddq[ARM_JOINTS], tau[ARM_JOINTS], sigma[ARM_JOINTS];
static arm_observer observer;
#ifndef TREE /* a robot with several tips: torques, gravity, friction, observer */
static arm_payload payload;
#endif

static void print(const char *text) {
  register unsigned operation __asm__("r0") = 0x04u;
  register const char *argument __asm__("r1") = text;
  __asm__ volatile("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
}

static void print_number(unsigned x) {
  char text[12], *at = text + sizeof text - 1;
  *at = 0;
  do *--at = (char)('0' + x % 10);
  while ((x /= 10) > 0);
  print(" ");
  print(at);
}

static void inverse_dynamics(void) { arm_inverse_dynamics(tau, q, dq, ddq); }
static void gravity(void) { arm_gravity(tau, q); }
static void friction(void) { arm_friction(tau, dq); }
static void observe(void) { (void)arm_observe(&observer, q, dq, tau, 1e-3f); }
#ifndef TREE
static void stiction(void) { (void)arm_stiction(tau, dq, dq); }
static void payload_tick(void) { (void)arm_payload_tick(&payload, &observer, q, dq, 1e-3f); }
#endif
static void nothing(void) {}
/* 2001 instructions */
static void spin(void) {
  __asm__ volatile("movw r0, #1000\n1: subs r0, r0, #1\n bne 1b" ::: "r0", "cc");
}

static unsigned ticks_of(void (*function)(void)) {
  SYSTICK[0] = 0;
  SYSTICK[1] = 0xFFFFFFu;
  SYSTICK[2] = 0;
  SYSTICK[0] = 5;
  for (int i = 0; i < CALLS; i++) function();
  return 0xFFFFFFu - SYSTICK[2];
}

__attribute__((noinline)) static unsigned stack_of(void (*function)(void)) {
  unsigned char *const top = __builtin_frame_address(0);
  /* below what this function and memset need */
  unsigned char *const end = top - 64, *low = top - PAINTED;
  for (unsigned char *p = low; p < end; p++) *(volatile unsigned char *)p = PAINT;
  function();
  while (low < end && *low == PAINT) low++;
  return (unsigned)(top - low);
}

static void measure(const char *name, void (*function)(void)) {
  const unsigned spent = ticks_of(function) - ticks_of(nothing);
  print(name);
  print_number(spent * PER_TICK / CALLS);
  print_number(stack_of(function));
  print("\n");
}

int main(void) {
  for (int j = 0; j < ARM_JOINTS; j++) {
    q[j] = 0.3f + 0.1f * (float)j;
    dq[j] = 0.2f - 0.05f * (float)j;
    ddq[j] = 0.5f;
    sigma[j] = 0.5f;
  }
  arm_observer_start(&observer);
#ifndef TREE
  arm_payload_start(&payload, sigma, 10);
#endif
  measure("spin", spin);
  measure("torque", inverse_dynamics);
  measure("gravity", gravity);
  measure("friction", friction);
  inverse_dynamics();
  measure("observer", observe);
#ifndef TREE
  measure("stiction", stiction);
  measure("payload", payload_tick);
#endif
  return 0;
}
