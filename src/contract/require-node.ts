/** Throws on a Node that is too old. Every entry of the package imports this first. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18))
  throw new Error(`Parley needs Node 22.18 or newer; this is ${process.version}`);
