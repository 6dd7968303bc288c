import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import type { Cell, Finding, Section } from "../contract/view.ts";
import { findRun } from "../runs/read-run.ts";
import { verifyRun } from "../runs/verify.ts";
import type { Store } from "../store/store.ts";
import { formatCount } from "../text/format.ts";
import { defineCommand, flag } from "./command.ts";
import { type Io, pauseBetweenSteps } from "./io.ts";
import { runsOptions } from "./options.ts";
import { chooseRun, withStore } from "./stores.ts";

export function command(io: Io): Command {
  return defineCommand({
    name: "verify",
    arguments: { "[run]": "a run's id, or the first characters of it" },
    options: {
      last: flag("the latest run"),
      all: flag("every run of the store"),
      json: flag("every finding as JSON Lines"),
      ...runsOptions,
    },
    async action({ last, all, json, ...options }, target: string | undefined) {
      if ([target, last, all].filter((given) => given !== undefined).length !== 1)
        throw new ParleyError("bad_input", "name a run, or give --last or --all");
      await withStore(io, options, async (store) => {
        if (all) return verifyStore(io, store, json);
        const { id } = await findRun(store, await chooseRun(store, target, last));
        await verifyOne(io, store, id, { json, isWhole: true });
      });
    },
  });
}

async function verifyStore(io: Io, store: Store, json = false): Promise<void> {
  const problems = await store.problems();
  const { location: where } = store;
  if (json) io.jsonLines(problems.map((message) => ({ run: null, check: "store", ok: false, where, message })));
  else for (const message of problems) io.out(`store ${where}\n  WRONG  ${message}\n`);
  let wrong = 0;
  const ids = await store.ids();
  for (const id of ids) if (!(await verifyOne(io, store, id, { json, isWhole: false }))) wrong += 1;
  const beside = problems.length > 0 ? `; ${formatCount(problems.length, "problem")} in the store itself` : "";
  if (!json) io.out(`${formatCount(ids.length, "run")}, ${wrong} with problems${beside}\n`);
  if (problems.length > 0) io.exit.code = 1;
}

async function verifyOne(
  io: Io,
  store: Store,
  id: string,
  { json, isWhole }: { json?: boolean; isWhole: boolean },
): Promise<boolean> {
  await pauseBetweenSteps(io);
  const findings = await verifyRun(store, id);
  const isGood = findings.every(({ ok }) => ok);
  if (!isGood) io.exit.code = 1;
  if (json) io.jsonLines(findings.map((finding) => ({ run: id, ...finding })));
  else if (isWhole || !isGood) io.show([listFindings(id, isWhole ? findings : findings.filter(({ ok }) => !ok))]);
  return isGood;
}

/** One line per finding; one that occurs in many places is listed once. */
function listFindings(id: string, findings: Finding[]): Section {
  const rows = [...Map.groupBy(findings, ({ check }) => check)].flatMap(([check, own]) => {
    const name = check.replaceAll("_", " ");
    const write = ({ ok, where, message }: Finding): Cell[] => [
      ok ? "ok" : { text: "WRONG", tone: "bad" },
      name,
      where === id ? message : `${where}: ${message}`,
    ];
    const good = own.filter(({ ok }) => ok);
    const wrong = own.filter(({ ok }) => !ok).map(write);
    return [...wrong, ...(good.length > fewPlaces ? [["ok", name, `in ${good.length} places`]] : good.map(write))];
  });
  return { kind: "table", title: `run ${id}`, columns: ["", "", ""], rows };
}

const fewPlaces = 2;
