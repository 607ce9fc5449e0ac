#!/bin/sh
# architecture.sh SOURCE [write]: docs/dev/architecture.md agrees with the sources. It fails if
#   - the rows of "uses directly" are not the modules, in the order of CONTRIBUTING.md,
#   - a row lists a module that the #include lines do not have, or lacks one that they have,
#   - the table of libraries names another module than the one that includes the library, or lacks a library,
#   - a path in "Where to look" does not exist.
# write: put the rows of "uses directly" as the sources have them into the page first.
set -eu
cd "$1"
exec perl -e '
  use strict; use warnings;
  my $write = ($ARGV[0] // "") eq "write";
  my $bad = 0;
  sub complain { print "@_\n"; $bad = 1 }
  sub slurp { open my $in, "<", $_[0] or die "$_[0]: $!"; local $/; return scalar <$in> }
  my $page = slurp("docs/dev/architecture.md");
  my ($section) = slurp("CONTRIBUTING.md") =~ /^## Modules\n(.*?)^## /ms;
  my @modules = $section =~ /^\| `([a-z]+)` \|/mg;
  my %rank; @rank{@modules} = (0 .. $#modules);
  # the module of a public header: the one of its name, or the one that has a source of its name
  my %home;
  sub module_of {
    my ($name) = @_;
    return $name if exists $rank{$name};
    $home{$name} //= do { my ($file) = glob("src/*/$name.[ch]"); $file ? (split m{/}, $file)[1] : "" };
    return $home{$name};
  }
  # library of a third-party header; other headers are those of C and POSIX
  my %library = (cblas => "OpenBLAS", yaml => "libyaml", libxml => "libxml2", matio => "matio (with HDF5)",
    zlib => "zlib", zstd => "zstd", lz4 => "lz4", lz4frame => "lz4", sqlite3 => "SQLite", openssl => "libcrypto (OpenSSL)", microhttpd => "libmicrohttpd", mpi => "MPI");
  my %system = map { $_ => 1 } qw(arpa assert complex ctype dirent dlfcn errno fcntl float inttypes limits locale malloc math netinet poll pthread semaphore
    signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings sys termios time unistd cstdio cuda cuda_runtime);
  my (%uses, %homes);
  my @files = map { glob("src/$_/*.[ch] src/$_/*.inc src/$_/*.cu") } @modules;
  for my $file (@files, glob("include/roberval/*.h include/roberval/sys/*.h")) {
    my $module = $file =~ m{^src/} ? (split m{/}, $file)[1] : module_of($file =~ m{([^/]+)\.h$});
    next unless $module;
    for my $line (split /\n/, slurp($file)) {
      my ($quote, $what) = $line =~ /^ *# *include +([<"])([^>"]+)/ or next;
      my $other;
      if ($what =~ m{^roberval/(?:sys/)?(\w+)\.h$}) { $other = module_of($1) }
      elsif ($quote eq "\"") {
        ($other) = $what =~ m{^(\w+)/};
        # the tool includes its own headers, and that of papers, by their names alone
        $other //= $module eq "cli" ? module_of($what =~ /(\w+)\.h/) : "";
      } else {
        my ($stem) = $what =~ /^(\w+)/;
        if ($library{$stem}) { $homes{$library{$stem}}{$module} = 1 }
        elsif (!$system{$stem}) { complain("$file includes <$what>, which is no library of the table and no system header") }
        next;
      }
      $uses{$module}{$other} = 1 if $other && $other ne $module && $other ne "base" && exists $rank{$other};
    }
  }
  sub row { my ($m) = @_; join(", ", map { "`$_`" } sort { $rank{$a} <=> $rank{$b} } keys %{$uses{$m}}) || "\x{e2}\x{80}\x{93}" }

  if ($write) {
    my $rows = join "", map { "| `$_` | " . row($_) . " |\n" } @modules;
    $page =~ s/^(\| module \| uses directly \|\n\|[-|]+\|\n).*?^\n/$1$rows\n/ms;
    open my $out, ">", "docs/dev/architecture.md" or die "docs/dev/architecture.md: $!";
    print $out $page;
    close $out or die "docs/dev/architecture.md: $!";
  }
  my ($table) = $page =~ /^\| module \| uses directly \|\n\|[-|]+\|\n(.*?)^\n/ms;
  my (@order, %listed);
  for (split /\n/, $table // "") {
    my ($module, $list) = /^\| `([a-z]+)` \| (.*) \|$/ or next;
    push @order, $module;
    $listed{$module} = { map { $_ => 1 } $list =~ /`([a-z]+)`/g };
  }
  complain("the modules are \"@modules\", the rows are \"@order\"") if "@order" ne "@modules";
  for my $module (@order) {
    for (sort keys %{$uses{$module}}) { complain("$module uses $_, which its row does not list") unless $listed{$module}{$_} }
    for (sort keys %{$listed{$module}}) { complain("the row of $module lists $_, which it does not use") unless $uses{$module}{$_} }
  }
  ($table) = $page =~ /^\| library \| module \|\n\|[-|]+\|\n(.*?)^\n/ms;
  my %written;
  for (split /\n/, $table // "") {
    my ($names, $module) = /^\| (.*) \| `([a-z]+)` \|$/ or next;
    $written{$_} = $module for split /, /, $names;
  }
  for my $name (sort keys %homes) {
    my $is = join " and ", sort keys %{$homes{$name}};
    complain("$name is included by $is, the table of libraries says " . ($written{$name} // "nothing")) if ($written{$name} // "") ne $is;
  }
  for (sort keys %written) { complain("the table of libraries lists $_, which no file includes") unless $homes{$_} }
  my ($where) = $page =~ /^## Where to look\n(.*)/ms;
  my $folder = "";
  for my $path (($where // "") =~ /`([\w\/]+(?:_<\w+>)?\.(?:c|h|inc|cu|sh))`/g) {
    ($folder) = $path =~ m{(.*)/} if $path =~ m{/};
    my $file = $path =~ m{/} ? $path : "$folder/$path";
    (my $pattern = $file) =~ s/<\w+>/*/;
    my @found = grep { -f } glob($pattern);
    complain("\"Where to look\" names $path, which does not exist") unless @found;
  }
  complain("\"Where to look\" names no file") unless ($where // "") =~ /`src\//;
  exit $bad;' "${2:-}"
