import { Command } from "commander";
import type { Io } from "../terminal/io.ts";

/** `parley new pack NAME` */
export function command(io: Io): Command {
  const create = new Command("new").description("Writes the beginning of something of your own.");
  create
    .command("pack")
    .description("writes a small working pack with its test, and lists it in parley.config.yaml")
    .argument("<name>", "what it is called, e.g. code-review")
    .option("--folder <folder>", "where its files go", "packs")
    .action(async (name: string, { folder }: { folder: string }) =>
      (await import("../new/write-pack.ts")).writePack(io, name, folder),
    );
  return create.addHelpText("after", "\nExample:\n  parley new pack code-review");
}
