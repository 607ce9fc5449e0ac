/* Start of a program for a Cortex-M4 in qemu: the exit code of main goes to the emulator. */
extern int main(void);
extern unsigned stack_end;

/* semihosting: SYS_EXIT_EXTENDED with ADP_Stopped_ApplicationExit */
static void leave(int code) {
  const unsigned block[2] = {0x20026u, (unsigned)code};
  register unsigned operation __asm__("r0") = 0x20u;
  register const unsigned *argument __asm__("r1") = block;
  __asm__ volatile("bkpt 0xAB" : : "r"(operation), "r"(argument) : "memory");
  for (;;) continue;
}

void reset(void) {
  *(volatile unsigned *)0xE000ED88u |= 0xFu << 20; /* switch the floating-point unit on */
  __asm__ volatile("dsb\n isb");
  leave(main());
}

__attribute__((section(".vectors"), used)) static const unsigned vectors[16] = {
    (unsigned)&stack_end, (unsigned)reset};
