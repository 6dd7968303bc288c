/**
 * Runs the commands of the pages named (all without a name) and writes what they print in the place of what is shown.
 * What is left out (`…`) stays left out: the lines before and after it are renewed, found again by their first line.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { blurPassing, findMismatch } from "../test/support/doc-page.ts";
import { type NamedPage, type RanStep, readPages, runPage } from "../test/support/run-page.ts";

const root = resolve(import.meta.dirname, "..");

async function refresh(page: NamedPage): Promise<void> {
  const lines = page.text.split("\n");
  let moved = 0;
  for await (const step of runPage(page)) {
    const renewed = renew(step);
    if (renewed === null) {
      console.log(`${page.name}:${step.line}: cannot tell what is left out; printed:\n${step.printed}\n`);
      continue;
    }
    lines.splice(step.line + moved, step.shown.length, ...renewed);
    moved += renewed.length - step.shown.length;
  }
  const text = lines.join("\n");
  if (text === page.text) return;
  writeFileSync(resolve(root, page.name), text);
  console.log(`${page.name}: refreshed`);
}

/** What is to be shown of a step: as it was where only times and sizes differ. Null when it cannot be told. */
function renew({ shown, printed }: RanStep): string[] | null {
  const own = printed.split("\n");
  const isAsShown = findMismatch(shown.map(blurPassing), own.map(blurPassing)) === null;
  if (isAsShown) return shown;
  const parts = splitParts(shown);
  if (!shown.some((line) => line.trim() === "…")) return own;
  const renewed: string[] = [];
  let from = 0;
  for (const [index, { lines, gap }] of parts.entries()) {
    const at = index === 0 ? 0 : own.findIndex((line, place) => place >= from && line === lines[0]);
    if (at < 0) return null;
    from = at + lines.length;
    renewed.push(...own.slice(at, from), ...(gap === null ? [] : [gap]));
  }
  return renewed;
}

/** Runs of shown lines, each with the line `…` behind it. */
function splitParts(shown: readonly string[]): { lines: string[]; gap: string | null }[] {
  const parts: { lines: string[]; gap: string | null }[] = [{ lines: [], gap: null }];
  for (const line of shown) {
    const last = parts.at(-1);
    if (line.trim() !== "…") last?.lines.push(line);
    else {
      if (last) last.gap = line;
      parts.push({ lines: [], gap: null });
    }
  }
  return parts.filter(({ lines }, index) => lines.length > 0 || index === 0);
}

const named = process.argv.slice(2);
for (const page of readPages())
  if ((named.length === 0 || named.includes(page.name)) && page.steps.some(({ kind }) => kind === "command"))
    await refresh(page);
