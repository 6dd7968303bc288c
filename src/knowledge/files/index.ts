/** What text a file holds: plain text, pages, tables, PDF and Word documents. */
export { readFormat, readableEndings } from "./read-format.ts";
