import { inflateRawSync } from "node:zlib";
import { readHtml } from "./read-html.ts";

const maxUnpacked = 50 * 1024 * 1024;

/** The first sheet of an Excel file, its cells as JSON. */
export async function readXlsx(bytes: Buffer): Promise<string> {
  requireWithinLimit(bytes, ".xlsx");
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
  requireWithinLimit(bytes, ".docx");
  const { convertToHtml, images } = (await import("mammoth")).default;
  const convertImage = images.imgElement(async () => ({ src: "" }));
  const { value } = await convertToHtml({ buffer: bytes }, { convertImage }).catch((cause: unknown) => {
    throw new Error("not a .docx file that can be read: its text is damaged", { cause });
  });
  return readHtml(value);
}

const endMark = 0x06_05_4b_50;
const entryMark = 0x02_01_4b_50;

function requireWithinLimit(bytes: Buffer, kind: string): void {
  let left = maxUnpacked;
  for (const { data, isPacked, said } of listEntries(bytes, kind)) {
    left -= Math.max(said, isPacked ? measureUnpacked(data, left, kind) : data.length);
    if (left <= 0) throw new Error(`it unpacks to more than ${maxUnpacked / 1024 / 1024} MB, too much for a document`);
  }
}

function measureUnpacked(data: Buffer, most: number, kind: string): number {
  try {
    return inflateRawSync(data, { maxOutputLength: most }).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return most;
    throw new Error(`not a ${kind} file that can be read: a part of it is damaged`, { cause: error });
  }
}

function* listEntries(bytes: Buffer, kind: string): Iterable<{ data: Buffer; isPacked: boolean; said: number }> {
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 70_000 && bytes.readUInt32LE(end) !== endMark) end -= 1;
  if (end < 0 || bytes.readUInt32LE(end) !== endMark) throw new Error(`not a ${kind} file`);
  let place = bytes.readUInt32LE(end + 16);
  while (place + 46 <= end && bytes.readUInt32LE(place) === entryMark) {
    const at = bytes.readUInt32LE(place + 42);
    if (at + 30 > bytes.length) throw new Error(`not a ${kind} file that can be read: a part of it is missing`);
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const data = bytes.subarray(start, start + bytes.readUInt32LE(place + 20));
    yield { data, isPacked: bytes.readUInt16LE(place + 10) !== 0, said: bytes.readUInt32LE(place + 24) };
    place += 46 + bytes.readUInt16LE(place + 28) + bytes.readUInt16LE(place + 30) + bytes.readUInt16LE(place + 32);
  }
}
