import { readHtml } from "./read-html.ts";

/** The first sheet of an Excel file, its cells as JSON. */
export async function readXlsx(bytes: Buffer): Promise<string> {
  const { readSheet } = await import("read-excel-file/node");
  const rows = (await readSheet(bytes).catch((cause: unknown) => {
    throw new Error("not a .xlsx file that can be read", { cause });
  })) as unknown[][];
  const format = (cell: unknown): string => {
    if (cell instanceof Date) return cell.toISOString().replace("T00:00:00.000Z", "");
    if (typeof cell === "string") return cell;
    return typeof cell === "number" || typeof cell === "boolean" ? String(cell) : "";
  };
  return JSON.stringify(rows.map((row) => row.map(format)));
}

export async function readDocx(bytes: Buffer): Promise<string> {
  const { convertToHtml, images } = (await import("mammoth")).default;
  const convertImage = images.imgElement(async () => ({ src: "" }));
  const { value } = await convertToHtml({ buffer: bytes }, { convertImage }).catch((cause: unknown) => {
    throw new Error("not a .docx file that can be read", { cause });
  });
  return readHtml(value);
}
