# A recipe for Spack. collsim has no public address, so Spack takes the tarball that `make dist` makes from the folder in
# which it is called:
#
#     make dist && cd build
#     spack repo create ../collsim-repo collsim && mkdir -p ../collsim-repo/packages/collsim
#     cp ../install/spack/package.py ../collsim-repo/packages/collsim && spack repo add ../collsim-repo
#     spack install --no-checksum collsim

import os

from spack.package import *


class Collsim(MakefilePackage):
    """collsim predicts how long collective operations of MPI take, algorithm by algorithm, without the machine. It
    executes an algorithm as each rank would, message by message, and gives the time as an exact formula."""

    url = f"file://{os.getcwd()}/collsim-0.9.0.tar.gz"
    manual_download = True

    license("BSD-3-Clause")

    version("0.9.0")

    variant("openmpi", default=True, description="Build collsim-mpi, which runs algorithms on Open MPI")
    variant("simgrid", default=False, description="Build collsim-smpi, which runs them on SimGrid's SMPI")
    variant("explore", default=False, description="Build collsim-explore, the page that answers while one drags")
    variant("gnuplot", default=True, description="Draw pictures")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("glib@2.56:")
    # collsim-mpi counts messages by Open MPI's monitoring. Spack's MPICH cannot be in one installation with Open MPI, so
    # collsim-mpich is not built.
    depends_on("openmpi", when="+openmpi")
    depends_on("simgrid+smpi", when="+simgrid")
    depends_on("libmicrohttpd@0.9.71:", when="+explore")
    depends_on("gnuplot", when="+gnuplot", type="run")

    # Spack's compiler wrapper is `cc`. A name that is not a program leaves a backend out.
    def variables(self):
        mpicc = self.spec["openmpi"].prefix.bin.mpicc if self.spec.satisfies("+openmpi") else "no-mpicc"
        smpicc = self.spec["simgrid"].prefix.bin.smpicc if self.spec.satisfies("+simgrid") else "no-smpicc"
        return [f"PREFIX={self.prefix}", "CC=cc", f"MPICC={mpicc}", f"SMPICC={smpicc}", "MPICHCC=no-mpicc"]

    def build(self, spec, prefix):
        make("all", "man", *self.variables())

    def install(self, spec, prefix):
        make("install", *self.variables())

    # collsim looks for the launchers, and for gnuplot, in PATH.
    def setup_run_environment(self, env):
        for name in ("openmpi", "simgrid", "gnuplot"):
            if self.spec.satisfies(f"+{name}"):
                env.prepend_path("PATH", self.spec[name].prefix.bin)
