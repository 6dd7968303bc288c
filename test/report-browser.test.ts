import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { browserPath, findViolations, openAlone, openContext } from "./support/browser.ts";
import { newFolder, runCli } from "./support/cli.ts";

describe.skipIf(browserPath === null)("a study's report in Chromium", () => {
  const cwd = newFolder();
  const url = `file://${join(cwd, ".parley/studies/question_controls/report.html")}`;
  beforeAll(async () => {
    await runCli(["study", "run", "question_controls", "--limit", "8", "--quiet"], { cwd });
  });

  it.each([
    ["light", 1200],
    ["dark", 375],
  ] as const)(
    "%s at %i px: it is readable, fits, asks for nothing and says nothing on the console",
    async (colorScheme, width) => {
      const page = await openAlone(url, { colorScheme, width });
      for (const picture of await page.locator("figure .plot-box:visible svg").all())
        expect((await picture.boundingBox())?.width).toBeGreaterThan(200);
      expect(await findViolations(page)).toEqual([]);
      await page.context().close();
    },
  );

  it("a number leads to its runs without a script, and the others are back when one leaves", async () => {
    const page = await (await openContext({ javaScriptEnabled: false })).newPage();
    await page.goto(url);
    expect(await page.locator(".run-set:visible").count()).toBe(1);
    expect(await page.locator(".run-set.all").isVisible()).toBe(true);
    await page.locator("#arms a.behind").first().click();
    expect(await page.locator(".run-set:visible").count()).toBe(1);
    expect(await page.locator(".run-set:target tbody tr").count()).toBe(8);
    await page.goto(`${url}#runs`);
    expect(await page.locator(".run-set.all").isVisible()).toBe(true);
    await page.context().close();
  });

  it("printed, what is folded is open and the list of runs is left out", async () => {
    const page = await (await openContext()).newPage();
    await page.goto(url);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("details:not([open]) pre").first().isVisible()).toBe(true);
    expect(await page.locator("#runs").isVisible()).toBe(false);
    await page.context().close();
  });
});
