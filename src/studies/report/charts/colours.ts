/** Stand-ins that charts are drawn with; each becomes a variable of the style sheet, so that a chart follows the theme. */
export const colours = {
  ink: "#010101",
  muted: "#020202",
  line: "#030303",
  reference: "#040404",
  control: "#050505",
  arm: "#060606",
  good: "#070707",
  bad: "#080808",
  paper: "#090909",
} as const;

/** Lines of several arms in one chart, told apart by colour and by dash. */
export const series = ["#0a0a0a", "#0b0b0b", "#0c0c0c", "#0d0d0d", "#0e0e0e", "#0f0f0f"] as const;

const variables = new Map<string, string>([
  ...Object.entries(colours).map(([name, colour]) => [colour, `var(--${name})`] as const),
  ...series.map((colour, i) => [colour, `var(--series-${i + 1})`] as const),
]);

/** Puts the style sheet's variables in the place of the stand-ins. */
export function themed(svg: string): string {
  return svg.replaceAll(/#0([1-9a-f])(?:0\1){2}/g, (colour) => variables.get(colour) ?? colour);
}
