import { useId, useState } from "react";
import { callApi } from "../../contract/api/client.ts";

type ReadFile = { name: string; text: string };
type Props = { label: string; onFiles: (files: ReadFile[]) => void };

/** The most that is read of one file; the server takes no larger requests. */
const mostBytes = 5_000_000;

/** Files whose text the server finds; others are text as they are. */
const isRead = /\.(?:pdf|docx|html?|csv|tsv)$/i;

/** Files from this computer, chosen or dropped: text is read here, documents and tables by the server, which keeps nothing of them. */
export function FileDrop({ label, onFiles }: Props) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const [waits, setWaits] = useState(false);
  const take = async (list: FileList | null) => {
    setWaits(true);
    const read = await Promise.all([...(list ?? [])].map(readFile));
    setWaits(false);
    setProblem(read.flatMap((one) => ("why" in one ? [one.why] : [])).join("; ") || null);
    const files = read.filter((one) => "text" in one);
    if (files.length > 0) onFiles(files);
  };
  return (
    <div
      className="drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take(event.dataTransfer.files);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        multiple
        onChange={(event) => {
          const field = event.target;
          void take(field.files).then(() => (field.value = ""));
        }}
      />
      <p className="secondary">{waits ? "Reading…" : "Text, PDF, Word, HTML and tables, 5 MB each."}</p>
      {problem && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

async function readFile(file: File): Promise<ReadFile | { why: string }> {
  const { name } = file;
  if (file.size > mostBytes) return { why: `${name}: it is larger than ${mostBytes / 1e6} MB` };
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isRead.test(name) ? askForText(name, bytes) : readText(name, bytes);
}

async function askForText(name: string, bytes: Uint8Array): Promise<ReadFile | { why: string }> {
  try {
    return await callApi("readDocument", { body: { name, bytes: writeBase64(bytes) } });
  } catch (error) {
    return { why: (error as Error).message };
  }
}

function readText(name: string, bytes: Uint8Array): ReadFile | { why: string } {
  if (bytes.subarray(0, 8_000).includes(0)) return { why: `${name}: that kind of file cannot be read` };
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { why: `${name}: it is not UTF-8` };
  }
}

function writeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 30_000) text += String.fromCharCode(...bytes.subarray(at, at + 30_000));
  return btoa(text);
}
