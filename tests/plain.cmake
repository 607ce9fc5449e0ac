# Tests, and functions of test programs, that run only without sanitizers.
#
# A sanitizer finds wrong memory accesses, undefined behaviour and leaks. These do not depend on the
# size of a problem. What takes long is therefore left out here if shorter tests execute the same code.
# Refusals, damaged files, interrupted commands, failing allocations and the fuzz corpora always run.
#
# The tests of cli run the tool as a process, on recordings, and execute what the tests of the modules execute: with
# sanitizers they take six times longer. Only those run there that give the tool damaged files, hostile values and
# failing systems (sanitized_cli). With ROBERVAL_SANITIZE_ALL=ON (make nightly) everything runs except whole rows.
set(sanitized_cli malformed robustness failures edges option_matrix outputs strangers payload fleet)

# A row is: test | functions (none: the whole test) | reason, without semicolons. A row whose test does not exist is an
# error of the configuration; a function that does not exist fails its test.
set(plain_rows
  "docs.site||pages in Markdown: no compiled code"
  "docs.slow_cases||the commands of cli.identify, cli.check and cli.compare, on long recordings"
  "python.cells||a long recording: python.identify and python.behaviour run the code"
  "python.examples||the code of python.identify, through examples"
  "python.pages||the code of python.identify, through pages"
  "export.ticks||steps through code that cc has compiled: export.control writes the same code"
  "consumer.packages||packages of a sanitizer build are of no use"
  "recipes.run||builds a copy of the tree, without sanitizers"
  "cross.rules_headers||compiles headers only"
  "consistency.dsdp||compares with a program that is not instrumented: consistency.solve runs the code"
  "identify.montecarlo||statistics of many runs of code that identify.identify runs once"

  "export.code|test_tx40 test_lwr4 test_ns16 test_random_chains|most of the time is spent in cc: test_every_column compiles one model"
  "prepare.from_file|test_estimates_equal_those_of_the_whole test_memory_does_not_grow_with_the_recording|recordings of several blocks: test_threads_change_nothing reads two blocks"
  "identify.loop|test_didim_steps_equal_those_of_the_other_program test_bias_with_badly_tuned_filters test_bias_with_well_tuned_filters test_simulation_by_callback test_iv_equals_that_of_the_other_program test_loops_with_a_payload test_printed_rule_stops_at_the_first_decrease|34,500 samples at 5 kHz: test_didim_finds_exact_parameters is shorter"
  "identify.piv|test_residuals_are_white_in_the_loop test_band_is_limited_where_it_diverges test_residuals_are_white_offline|long recordings for statistics: test_exact_data_give_the_parameters is short"
  "identify.slide|test_wrong_friction test_auto|several closed loops: test_exact runs one"
  "identify.identify|test_options_do_not_change_exact_results test_lwr_model_c_is_recovered|all combinations of options: single ones are in other functions"
  "identify.robust|test_sigma_of_the_robust_fit test_bootstrap_of_the_robust_fit|statistics of many runs"
  "control.identify|test_offline_needs_instruments test_noise_model_helps_in_coloured_noise|long recordings for statistics"
  "excite.search|test_what_was_stopped_is_gone_on_with test_random_robots_keep_all_constraints|many searches: test_searches_repeat runs each kind"
  "check.defects|test_defects_are_found|34 recordings of full length: check.recordings and cli.check run the code"
  "check.coupling|test_couplings_are_named|several recordings: test_two_couplings and test_none_is_invented run the code"
  "check.coupled_recordings||long recordings: check.coupling and check.recordings run the code"
  "base.executor|test_a_window_changes_nothing|200 runs: test_failures_in_a_window runs the code"
  "consistency.solve|test_gap_is_true|many problems: the other functions solve single ones"
  "report.page|test_same_bytes_twice|writes the page of test_structure again"
  "montecarlo.montecarlo|test_runs_are_independent test_any_number_of_threads|many runs: test_exact_data, test_shards_from_their_description and test_failing_allocations run the code, base.executor the threads"
  "papers.reproduce||experiments at full size: papers.published and the tests of the modules run the code"
  "compare.fleet||statistics of many fleets: job.fleet_plan and cli.fleet run the code"
  "identify.payload||statistics of many recordings: cli.payload runs the code"
  "api.same_result||compares two programs without sanitizers: job.identification runs the code"
  "api.follow_stream||compares a program without sanitizers with the tool: cli.follow and python.operation run the code"
  "job.again|test_options|many combinations of options: test_every_method and job.identification run the code"
  "identify.bench||recordings of full size: identify.identify and identify.loop run the code"
  "log.pieces|test_meetings|many files: the other functions read in pieces"
  "sim.defects|test_torque_sensor test_seeds|long simulations: the other functions run every defect"
  "sim.loop|test_default_integrator|many step sizes: the other functions run every integrator"
  "equations.equations|test_factors_equal_those_of_the_rows|all robots and filters: the other functions run the code"
  "log.numbers|test_random_shapes_equal_strtod test_format_reads_back|millions of numbers: the functions by hand run the code"
)

# plain_functions(OUT TEST): OUT is NONE, ALL, or the functions of the test that run without sanitizers.
function(plain_functions out test)
  set(${out} NONE PARENT_SCOPE)
  foreach(row IN LISTS plain_rows)
    string(REGEX MATCH "^([^|]*)\\|([^|]*)\\|(.+)$" whole "${row}")
    if(NOT whole)
      message(FATAL_ERROR "tests/plain.cmake: '${row}' is not test|functions|reason")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(functions "${CMAKE_MATCH_2}")
    if(name STREQUAL test)
      if(functions STREQUAL "")
        set(functions ALL)
      endif()
      set(${out} "${functions}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# skip_test(OUT TEST): true if the whole test is left out in this configuration.
function(skip_test out test)
  plain_functions(functions ${test})
  string(REGEX REPLACE "^cli\\." "" what "${test}")
  if(ROBERVAL_SANITIZE AND functions STREQUAL "ALL")
    set(${out} TRUE PARENT_SCOPE)
  elseif(ROBERVAL_SANITIZE AND NOT ROBERVAL_SANITIZE_ALL AND test MATCHES "^cli\\." AND NOT what IN_LIST sanitized_cli)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Call this after all tests are known: every row must name one, and functions that it has.
function(check_plain_rows)
  foreach(row IN LISTS plain_rows)
    string(REGEX MATCH "^([^.]*)\\.([^|]*)\\|([^|]*)\\|" whole "${row}")
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/${CMAKE_MATCH_1}/test_${CMAKE_MATCH_2}.c)
    string(REPLACE " " ";" functions "${CMAKE_MATCH_3}")
    foreach(function IN LISTS functions)
      file(STRINGS ${source} found REGEX "cmocka_unit_test.*[( ]${function}[,)]")
      if(NOT found)
        message(FATAL_ERROR "tests/plain.cmake names ${function}, which ${source} does not have")
      endif()
    endforeach()
    string(REGEX REPLACE "\\|.*" "" test "${row}")
    get_property(known GLOBAL PROPERTY roberval_tests)
    if(NOT test IN_LIST known)
      message(FATAL_ERROR "tests/plain.cmake names ${test}, which is not a test")
    endif()
  endforeach()
endfunction()
