import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { loadPageRenderer } from "../src/print/viewer-build.ts";
import { exportHtml } from "../src/runs/export/export-run.ts";
import { exportPage } from "../src/runs/export/export-run.ts";
import { readRun } from "../src/runs/read-run.ts";
import { startRun } from "../src/runs/start.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import { browserPath, findViolations, openAlone, openContext } from "./support/browser.ts";
import { newFolder } from "./support/cli.ts";
import { shareOf } from "./support/share.ts";

const folder = newFolder();
const hostile = `<img src="https://example.invalid/x.png" onerror="document.title='owned'"><script>document.title='owned'</script>`;

const pages = new Map<string, Promise<string>>();

/** The address of a pack's first example as a page; it is debated and written once. */
function exported(name: string): Promise<string> {
  const page = pages.get(name) ?? written(name, {});
  pages.set(name, page);
  return page;
}

/** Debates a pack's first example with other input, writes it as a page and returns its address. */
async function written(name: string, extra: object): Promise<string> {
  const pack = await loadPack(name);
  const store = memoryStore();
  const [example] = pack.examples;
  const input = { ...(example?.input as object), ...extra };
  const { runId } = await startRun(
    { store, castOf: castOfStrings(store) },
    { pack, input, config: example?.config, cast: "expert" },
  );
  const file = join(folder, `${name}-${Object.keys(extra).length}.html`);
  writeFileSync(file, exportHtml(exportPage(pack, await readRun(store, runId)), await loadPageRenderer()));
  return `file://${file}`;
}

describe.skipIf(browserPath === null)("an exported run in Chromium", () => {
  it.each(
    shareOf(
      packNames.flatMap(
        (name) =>
          [
            ["light", 1200, name],
            ["dark", 375, name],
          ] as const,
      ),
      (_, at) => at % 4 === 0 || at % 4 === 3,
    ),
  )("%s at %i px: the %s pack's page is readable, fits and asks for nothing", async (colorScheme, width, name) => {
    const page = await openAlone(await exported(name), { colorScheme, width });
    expect(await page.locator("article.turn").count()).toBeGreaterThan(0);
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });

  it("printed, everything that is folded is open, and the contents are left out", async () => {
    const page = await (await openContext()).newPage();
    await page.goto(await exported("root-cause"));
    const folded = page.locator("details.fold:not([open]) > :not(summary)").first();
    expect(await folded.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    const stranded = await page
      .locator("summary")
      .evaluateAll((all) => all.filter((one) => getComputedStyle(one).breakAfter !== "avoid").length);
    expect(stranded).toBe(0);
    expect(await folded.isVisible()).toBe(true);
    expect(await page.locator("nav").isVisible()).toBe(false);
    expect((await page.pdf({ format: "A4" })).subarray(0, 4).toString()).toBe("%PDF");
    await page.context().close();
  });

  it("a keyboard reaches the content, opens what is folded, and a link leads to its turn", async () => {
    const page = await (await openContext()).newPage();
    await page.goto(await exported("question"));
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    await page.locator("#cost > details > summary").focus();
    await page.keyboard.press("Enter");
    expect(await page.locator("#cost dl").first().isVisible()).toBe(true);
    await page.locator(".strip a").first().focus();
    await page.keyboard.press("Enter");
    expect(await page.locator(".turn:target").count()).toBe(1);
    await page.context().close();
  });

  it("hostile text stays text", async () => {
    const page = await (await openContext()).newPage();
    const requests: string[] = [];
    page.on("request", (request) => void requests.push(request.url()));
    const docs = [{ id: hostile, text: `The mill was sold because ${hostile} the railway came.` }];
    await page.goto(await written("question", { question: `Why was the mill sold? ${hostile}`, docs }));
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("main").innerText()).toContain("<script>");
    expect(requests.filter((url) => !url.startsWith("file://"))).toEqual([]);
    await page.context().close();
  });
});
