# cmake -DNPM= -DWEB= -DOUT= -P bundle.cmake: fetch the packages of the lock file, bundle web/src/main.js
# into OUT/bundle.js, and collect the licences. If the packages cannot be fetched, the bundle is empty and
# a warning is printed.
file(MAKE_DIRECTORY ${OUT})
file(COPY ${WEB}/package.json ${WEB}/package-lock.json ${WEB}/src DESTINATION ${OUT})

function(give_up why)
  message(WARNING "${why}: reports will have static pictures. Remove ${OUT} to try again.")
  file(WRITE ${OUT}/bundle.js "")
  file(WRITE ${OUT}/licences.txt "")
endfunction()

file(SHA256 ${OUT}/package-lock.json lock)
set(fetched "")
if(EXISTS ${OUT}/fetched)
  file(READ ${OUT}/fetched fetched)
endif()
if(NOT fetched STREQUAL lock)
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
    --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=30000
    WORKING_DIRECTORY ${OUT} RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE words TIMEOUT 240)
  if(NOT code EQUAL 0)
    give_up("npm could not fetch the report's libraries (${words})")
    return()
  endif()
  file(WRITE ${OUT}/fetched ${lock})
endif()

execute_process(COMMAND ${OUT}/node_modules/.bin/esbuild src/main.js --bundle --minify --format=iife
  --target=es2021 --loader:.css=text --legal-comments=none --log-level=warning --outfile=bundle.js
  WORKING_DIRECTORY ${OUT} RESULT_VARIABLE code ERROR_VARIABLE words)
if(NOT code EQUAL 0)
  # an error in our script stops the build; an esbuild that does not run on this machine does not
  if(words MATCHES "ERROR")
    message(FATAL_ERROR "${words}")
  endif()
  give_up("esbuild does not run (${words})")
  return()
endif()
file(READ ${OUT}/node_modules/uplot/LICENSE uplot)
file(READ ${OUT}/node_modules/three/LICENSE three)
file(WRITE ${OUT}/licences.txt "uPlot\n\n${uplot}\n\nthree.js\n\n${three}")
