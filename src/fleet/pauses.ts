import type { PostgresDatabase } from "../store/postgres.ts";

/** What stands for all packs. */
export const everyPack = "*";

/** The packs of which nothing is handed out just now. */
export type Pauses = {
  list(): Promise<string[]>;
  pause(pack: string): Promise<void>;
  resume(pack: string): Promise<void>;
};

export function createPauses({ query: run, persist }: PostgresDatabase): Pauses {
  return {
    list: async () => (await run<{ pack: string }>("SELECT pack FROM pauses ORDER BY pack")).map(({ pack }) => pack),
    async pause(pack) {
      await persist(() => run("INSERT INTO pauses (pack) VALUES ($1) ON CONFLICT DO NOTHING", [pack]));
    },
    /** Going on with all packs ends every pause. */
    async resume(pack) {
      await persist(() => run("DELETE FROM pauses WHERE pack = $1 OR $1 = '*'", [pack]));
    },
  };
}
