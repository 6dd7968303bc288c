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

  it("printed, what is folded is open and the list of runs is left out", async () => {
    const page = await (await openContext()).newPage();
    await page.goto(url);
    await page.locator("details:has(table) > summary").first().click();
    const folded = page.locator("details:not([open]) table").first();
    expect(await folded.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await folded.isVisible()).toBe(true);
    expect(await page.locator("#runs").isVisible()).toBe(false);
    await page.context().close();
  });
});
