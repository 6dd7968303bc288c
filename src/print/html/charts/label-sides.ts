import { measureDisplayWidth } from "../../../text/display-width.ts";

/** Where a label stands beside its point. */
export type LabelSide = "right" | "left" | "top" | "bottom";

type Box = { x: number; y: number; width: number; height: number };

/** A side for each label such that no label covers another label or a point; null where there is no room. Later points choose first. */
export function labelSides(points: { name: string; at: [number, number] }[], width: number): (LabelSide | null)[] {
  const taken: Box[] = points.map(({ at: [x, y] }) => ({ x: x - 6, y: y - 6, width: 12, height: 12 }));
  const choose = ({ name, at }: { name: string; at: [number, number] }, own: number): LabelSide | null => {
    const sides: LabelSide[] = ["right", "left", "top", "bottom"];
    const side = sides.find((one) => {
      const box = boxAt(name, at, one);
      return box.x >= 0 && box.x + box.width <= width && taken.every((other, i) => i === own || !overlap(box, other));
    });
    if (side) taken.push(boxAt(name, at, side));
    return side ?? null;
  };
  return points
    .map((point, own) => ({ point, own }))
    .toReversed()
    .map(({ point, own }) => choose(point, own))
    .toReversed();
}

function boxAt(name: string, [x, y]: [number, number], side: LabelSide): Box {
  const [width, height, gap] = [measureDisplayWidth(name) * 7.4, 14, 10];
  if (side === "right") return { x: x + gap, y: y - height / 2, width, height };
  if (side === "left") return { x: x - gap - width, y: y - height / 2, width, height };
  return { x: x - width / 2, y: side === "top" ? y - gap - height : y + gap, width, height };
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
