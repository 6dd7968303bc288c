export type Estimate = { estimate: number; low: number; high: number };

export type Group = "reference" | "control" | "arm";

/** A picture as data: HTML draws it, text shows its numbers. Shares are 0..1 and shown as per cent. */
export type Chart =
  /** Quality over cost; `ceiling` is what one would reach who always knew which member is right. */
  | {
      type: "cost";
      axes: { cost: string; quality: string };
      points: { name: string; group: Group; cost: number; quality: Estimate }[];
      ceiling?: number;
    }
  /** A value for each pair, as shade and as a number; null where there is none. `low` and `high` bound the shades. */
  | {
      type: "heatmap";
      axes: { rows: string; columns: string };
      rows: string[];
      columns: string[];
      values: (number | null)[][];
      low: number;
      high: number;
    }
  | {
      type: "shares";
      parts: { name: string; tone: "good" | "bad" | "neutral" }[];
      rows: { name: string; counts: number[] }[];
    }
  | { type: "line"; says: string; points: { name: string; value: number }[] }
  /** What happened when: time across, a lane for each part, how much of it as shade; `window` is the stretch that matters. */
  | {
      type: "timeline";
      start: number;
      end: number;
      window: { start: number; end: number } | null;
      lanes: { name: string; counts: number[]; total: number; marks: { at: number; label: string }[] }[];
    };
