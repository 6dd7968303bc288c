import { readHtml } from "./read-html.ts";

/** What a document may unpack to. */
const maxUnpacked = 100 * 1024 * 1024;

/** The text of a Word document, with its headings; what it would unpack to is checked first. */
export async function readDocx(bytes: Buffer): Promise<string> {
  const unpacked = measureUnpacked(bytes);
  if (unpacked === null) throw new Error("not a .docx file");
  if (unpacked > maxUnpacked)
    throw new Error(`it unpacks to ${Math.round(unpacked / 1e6)} MB, too much for a document`);
  const { convertToHtml, images } = (await import("mammoth")).default;
  const convertImage = images.imgElement(async () => ({ src: "" }));
  const { value } = await convertToHtml({ buffer: bytes }, { convertImage }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`not a .docx file that can be read (${why})`, { cause });
  });
  return readHtml(value);
}

const endMark = 0x06_05_4b_50;
const entryMark = 0x02_01_4b_50;

/** The sum of what the entries of an archive say they unpack to; null when it is not an archive. */
function measureUnpacked(bytes: Buffer): number | null {
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 70_000 && bytes.readUInt32LE(end) !== endMark) end -= 1;
  if (end < 0 || bytes.readUInt32LE(end) !== endMark) return null;
  let place = bytes.readUInt32LE(end + 16);
  let sum = 0;
  while (place + 46 <= end && bytes.readUInt32LE(place) === entryMark) {
    sum += bytes.readUInt32LE(place + 24);
    place += 46 + bytes.readUInt16LE(place + 28) + bytes.readUInt16LE(place + 30) + bytes.readUInt16LE(place + 32);
  }
  return sum;
}
