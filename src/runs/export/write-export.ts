import type { exportFormats } from "../../contract/api/index.ts";
import { loadPackOf } from "../../packs/registry.ts";
import type { AnyPack } from "../../engine/pack.ts";
import type { Store } from "../../store/store.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import { present } from "../show-run.ts";
import type { StoredRun } from "../read-run.ts";
import { weighRun } from "./main-sections.ts";
import { exportHtml } from "./export-html.ts";
import { exportJson, exportJsonl } from "./export-json.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { exportPage } from "./export-page.ts";

export type ExportFormat = (typeof exportFormats)[number];

const writers = { md: exportMarkdown, jsonl: exportJsonl };

/** A run as the text of a file. Pass a pack that is not registered as `own`. */
export async function writeExport(
  store: Store,
  stored: StoredRun,
  format: ExportFormat,
  own?: AnyPack,
): Promise<string> {
  if (format === "json") return `${JSON.stringify(await exportJson(store, stored), null, 2)}\n`;
  const pack = own ?? (await loadPackOf(stored.run.manifest));
  const { result } = stored;
  const isDocument = format !== "jsonl" && result !== null && result.outcome !== "failed";
  const page = await exportPage(store, pack, stored, isDocument ? await weighRun(pack, stored) : undefined);
  if (format !== "html") return present(pack, stored, () => writers[format](page));
  const renderer = await loadPageRenderer();
  return present(pack, stored, () => exportHtml(page, renderer));
}
