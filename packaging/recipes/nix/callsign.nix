# Recipe for Nix: nix-build -E 'with import <nixpkgs> { }; callPackage ./callsign.nix { }'
# For MPICH: callPackage ./callsign.nix { mpi = mpich; }.
{ lib
, stdenv
, fetchurl
, cmake
, ninja
, pkg-config
, python3
, elfutils
, libunwind
, mpi
, ncurses
, sqlite
, uthash
}:

stdenv.mkDerivation rec {
  pname = "callsign";
  version = "@VERSION@";

  src = fetchurl {
    url = "@URL@/callsign-${version}.tar.xz";
    sha256 = "@SHA256@";
  };

  nativeBuildInputs = [
    cmake
    ninja
    pkg-config
    (python3.withPackages (packages: [ packages.pycparser ]))
  ];

  buildInputs = [
    elfutils
    libunwind
    mpi
    ncurses
    sqlite
    uthash
  ];

  cmakeFlags = [
    "-DCALLSIGN_TESTS=OFF"
    "-DCALLSIGN_BENCH=OFF"
  ];

  doInstallCheck = true;
  installCheckPhase = ''
    runHook preInstallCheck
    $out/bin/callsign version
    runHook postInstallCheck
  '';

  meta = with lib; {
    description = "Records MPI programs: time, messages, objects by name, leaks, hangs";
    homepage = "@HOMEPAGE@";
    license = licenses.bsd3;
    mainProgram = "callsign";
    platforms = [ "x86_64-linux" "aarch64-linux" ];
  };
}
