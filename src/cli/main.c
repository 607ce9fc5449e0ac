#include <stdio.h>

#include <roberval/base.h>

int main(void) {
  printf("roberval %s\n", rbv_version());
  return 0;
}
