export * from "./parsed-log.ts";
export { quotedLine } from "./quoted-line.ts";
