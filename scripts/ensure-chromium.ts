/** Makes sure that the browser tests have Debian's Chromium; says plainly when they will be skipped, and why. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Where Chromium is looked for. */
export const chromiumPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser to test with, or null. */
export function findChromium(): string | null {
  return chromiumPaths.find((path) => existsSync(path)) ?? null;
}

function install(): string | null {
  if (process.platform !== "linux" || !existsSync("/usr/bin/apt-get")) return "this is not a Debian system";
  if (process.getuid?.() !== 0) return "installing a package needs root (apt-get install chromium)";
  const run = (...args: string[]): boolean =>
    spawnSync("apt-get", args, {
      stdio: "ignore",
      timeout: 300_000,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  if (run("install", "-y", "--no-install-recommends", "chromium")) return null;
  return run("update") && run("install", "-y", "--no-install-recommends", "chromium")
    ? null
    : "apt-get could not install it";
}

if (import.meta.main) {
  const found = findChromium();
  const problem = found ? null : install();
  console.log(
    problem === null ? `chromium: ${findChromium()}` : `chromium: missing, browser tests will be skipped: ${problem}`,
  );
}
