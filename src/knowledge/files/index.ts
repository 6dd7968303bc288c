/** Text of files: plain text, pages, tables, PDF and Word documents. */
export { readApart } from "./read-apart.ts";
export { readFormat, readableEndings } from "./read-format.ts";
