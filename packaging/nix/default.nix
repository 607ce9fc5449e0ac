# nix-build packaging/nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "roberval";
  version = "0.2.0";
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = [ pkgs.cmake pkgs.pkg-config pkgs.python3 ];
  buildInputs = [
    pkgs.openblas
    pkgs.libxml2
    pkgs.libyaml
    pkgs.matio
    pkgs.zlib
    pkgs.zstd
    pkgs.lz4
    pkgs.sqlite
    pkgs.openssl
    pkgs.libmicrohttpd
  ];
  cmakeFlags = [ "-DROBERVAL_MPI=OFF" ];

  doInstallCheck = true;
  installCheckPhase = "$out/bin/roberval demo --quick";

  meta = {
    description = "Dynamic parameters of robot arms from recordings of their motion";
    license = pkgs.lib.licenses.asl20;
    platforms = pkgs.lib.platforms.linux;
    mainProgram = "roberval";
  };
}
