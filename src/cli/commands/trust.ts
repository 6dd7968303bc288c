import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { distrustFile, judgeTrust, listTrusted, trustFile } from "../../runs/trust/trust-file.ts";
import type { Io } from "../terminal/io.ts";

const about = `
A configuration needs trust when it runs packs of its own, sends a key or what is asked to an address of its own,
keeps runs outside its folder, or sends text to a collector. Trust is kept outside the folder and ends when the file
changes. Where nobody can be asked, such as in CI, PARLEY_TRUST=1 trusts whatever is there.`;

type Options = { list?: boolean; remove?: boolean };

/** `parley trust [file]` */
export function command(io: Io): Command {
  return new Command("trust")
    .description("Lets a folder's configuration send keys to its addresses and run its packs.")
    .argument("[file]", "the configuration (default: parley.config.yaml)")
    .option("--list", "list what is trusted")
    .option("--remove", "trust it no longer")
    .addHelpText("after", about)
    .action((given: string | undefined, { list, remove }: Options) => {
      if (list && (remove || given !== undefined))
        throw new ParleyError("bad_input", "--list shows everything that is trusted; give it alone");
      const file = resolve(io.cwd, given ?? "parley.config.yaml");
      if (list) writeList(io);
      else if (remove)
        io.out(distrustFile(io.env, file) ? `${file} is no longer trusted\n` : `${file} was not trusted\n`);
      else trust(io, file);
    });
}

function trust(io: Io, file: string): void {
  const { concerns, trust: standing } = judgeTrust(io.env, file);
  if (standing === "not needed") return io.out(`${file} needs no trust: nothing in it leaves its folder\n`);
  trustFile(io.env, file, new Date());
  io.out(`${file} is trusted as it is now:\n${concerns.map((concern) => `  - it ${concern}\n`).join("")}`);
}

function writeList(io: Io): void {
  const trusted = listTrusted(io.env);
  if (trusted.length === 0) return io.out("nothing is trusted\n");
  for (const { file, at } of trusted) {
    const state = existsSync(file) ? (judgeTrust(io.env, file).trust === "changed" ? "  changed since" : "") : "  gone";
    io.out(`${at.slice(0, 10)}  ${file}${state}\n`);
  }
}
