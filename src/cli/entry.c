/* main() alone, so that the generator of pages, the fuzzers and tests link all the rest. */
#include "cli.h"

int main(int argc, char **argv) { return cli_main(argc, argv); }
