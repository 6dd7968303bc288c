import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../../scripts/ensure-chromium.ts";

/** The browser of this machine, or null: then a test says that it was skipped. */
export const browserPath = findChromium();

/** Starts Chromium with nothing but what a page asks for. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? "",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
