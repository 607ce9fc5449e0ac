/* Only main(): the generator of pages, the fuzzers and tests link the other files of the tool. */
#include "cli.h"

int main(int argc, char **argv) { return cli_main(argc, argv); }
