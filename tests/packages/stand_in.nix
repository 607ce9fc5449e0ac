# What the recipe takes from nixpkgs: nix-instantiate --eval --strict gives the inputs, the flags and the name of the derivation.
let
  library = name: { inherit name; };
  pkgs = {
    stdenv.mkDerivation = arguments: builtins.removeAttrs arguments [ "src" ];
    lib = {
      cleanSource = path: path;
      licenses.asl20 = "Apache-2.0";
      platforms.linux = [ "x86_64-linux" ];
    };
  } // builtins.listToAttrs (map (name: { inherit name; value = library name; }) [
    "cmake" "pkg-config" "python3" "openblas" "libxml2" "libyaml" "matio" "zlib" "zstd" "lz4" "sqlite" "openssl" "libmicrohttpd"
  ]);
in
import ../../packaging/nix/default.nix { inherit pkgs; }
