# The class of Homebrew that the formula derives from: ruby stand_in.rb FORMULA SOURCE PREFIX runs its install step in a copy of the sources.
class Formula
  def self.method_missing(*) = self
  def self.respond_to_missing?(*) = true
  def self.version(text = nil) = text ? @version = text : @version
  def self.test = nil
  def std_cmake_args = ["-DCMAKE_INSTALL_PREFIX=#{ARGV[2]}", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib"]
  def system(*command)
    Kernel.system(*command.map(&:to_s)) or abort "#{command.join(' ')} failed"
  end
end
load ARGV[0]
Dir.chdir(ARGV[1])
Roberval.new.install
