/** Makes sure that the browser tests have Debian's Chromium and a face for Korean; says plainly what is missing, and why. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Where Chromium is looked for. */
export const chromiumPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser to test with, or null. */
export function findChromium(): string | null {
  return chromiumPaths.find((path) => existsSync(path)) ?? null;
}

/** True when some face of this machine has Korean; without one, pictures of pages show boxes. */
function hasKorean(): boolean {
  const { stdout, status } = spawnSync("fc-list", [":lang=ko", "family"], { encoding: "utf8" });
  return status === 0 && stdout.trim() !== "";
}

function install(name: string): string | null {
  if (process.platform !== "linux" || !existsSync("/usr/bin/apt-get")) return "this is not a Debian system";
  if (process.getuid?.() !== 0) return "installing a package needs root (apt-get install chromium fonts-noto-cjk)";
  const run = (...args: string[]): boolean =>
    spawnSync("apt-get", args, {
      stdio: "ignore",
      timeout: 300_000,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  if (run("install", "-y", "--no-install-recommends", name)) return null;
  return run("update") && run("install", "-y", "--no-install-recommends", name) ? null : "apt-get could not install it";
}

if (import.meta.main) {
  const found = findChromium();
  const problem = found ? null : install("chromium");
  console.log(
    problem === null ? `chromium: ${findChromium()}` : `chromium: missing, browser tests will be skipped: ${problem}`,
  );
  const missing = hasKorean() ? null : install("fonts-noto-cjk");
  console.log(
    missing === null ? "a face for Korean: there" : `a face for Korean: missing, pictures show boxes: ${missing}`,
  );
}
