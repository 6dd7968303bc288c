import type { PositionItem, Story, ToldTurn } from "../../contract/story.ts";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import type { AnyPack } from "../../engine/pack.ts";
import type { StoredRun } from "./read-run.ts";

type Held = Pick<StoredRun, "run" | "material" | "turns" | "result">;

/** A run's debate as its pack tells it; turns that the pack leaves out stand in their round, to be shown as they were said. */
export function tellRun(pack: AnyPack, { run, material, turns, result }: Held): Story {
  const { input, config } = run.manifest;
  const decision = (result?.decision ?? null) as unknown;
  const told = pack.story({ input, material, config, turns, decision });
  const known = new Set(told.stages.flatMap((stage) => stage.turns.map(({ turn }) => turn)));
  const rest = turns.filter(({ key }) => !known.has(turnIdOf(key)));
  return { ...told, stages: addRest(told.stages, rest) };
}

/** Puts what is left into the stage of its round, or into a stage of its own. */
function addRest(stages: Story["stages"], rest: readonly Turn[]): Story["stages"] {
  if (rest.length === 0) return stages;
  const all = stages.map((stage) => ({ ...stage, turns: [...stage.turns] }));
  for (const turn of rest) {
    const { round, role, step } = turn.key;
    const plain: ToldTurn = { turn: turnIdOf(turn.key), speaker: role, does: step, says: "", points: [] };
    const home = all.find((stage) => stage.turns.some((one) => one.turn.startsWith(`${round}/`)));
    if (home) home.turns.push(plain);
    else all.push({ title: round === 0 ? "Outside the rounds" : `Round ${round}`, turns: [plain] });
  }
  return all;
}

/** Who stood where and in which turn, with right and wrong where a person has said what is right. */
export function listStands(
  pack: AnyPack,
  { turns, result }: Pick<Held, "turns" | "result">,
  story: Story,
): PositionItem[] {
  const decision = (result?.decision ?? null) as unknown;
  const measured = decision === null ? [] : (pack.measure?.positions?.(decision, turns) ?? []);
  const stands: PositionItem[] = story.positions ?? measured;
  const gold = findGold(result);
  return stands.map((stand) => {
    const { role, round, answer, item } = stand;
    const turn = stand.turn ?? findTurnId(turns, role, round);
    const right = gold === undefined ? undefined : pack.measure?.isCorrect?.(answer, gold, item);
    return { ...stand, ...(turn !== undefined && { turn }), ...(right !== undefined && { right }) };
  });
}

function findTurnId(turns: readonly Turn[], role: string, round: number): string | undefined {
  const found = turns.find(({ key }) => key.role === role && key.round === round);
  return found && turnIdOf(found.key);
}

/** What a reviewer said is right. */
function findGold(result: Held["result"]): unknown {
  const review = result?.notes.findLast(({ type }) => type === "review");
  return (review?.data as { gold?: unknown } | undefined)?.gold;
}
