# brew install --HEAD packaging/homebrew/roberval.rb (Linux)
class Roberval < Formula
  desc "Dynamic parameters of robot arms from recordings of their motion"
  license "Apache-2.0"
  version "0.2.0"
  head File.expand_path("../..", __dir__), using: :git

  depends_on "cmake" => :build
  depends_on "pkgconf" => :build
  depends_on "libmatio"
  depends_on "libmicrohttpd"
  depends_on "libxml2"
  depends_on "libyaml"
  depends_on :linux
  depends_on "lz4"
  depends_on "openblas"
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", *std_cmake_args, "-DROBERVAL_MPI=OFF"
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/roberval version")
    system bin/"roberval", "demo", "--quick"
  end
end
