// The command line, straight from the sources; plain JavaScript, so that an older Node can be told what it lacks.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Parley needs Node 22.18 or newer; this is ${process.version}.`);
  console.error("On Linux (x64, arm64) `npm ci` brings one along; elsewhere install it yourself.");
  process.exit(1);
}
const emit = process.emit;
process.emit = function (name, data, ...rest) {
  if (name === "warning" && data?.name === "ExperimentalWarning") return false;
  return emit.call(this, name, data, ...rest);
};
const { runProcess } = await import("../src/cli/main.ts");
await runProcess();
