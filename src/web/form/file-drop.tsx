import { useId, useState } from "react";

export type ReadFile = { name: string; text: string };
type Props = { label: string; onFiles: (files: ReadFile[]) => void };

/** The most that is read of one file; the server takes no larger requests. */
const mostBytes = 6_000_000;

/** Files from this computer, chosen or dropped; they are read here, as text, and go nowhere before the debate is started. */
export function FileDrop({ label, onFiles }: Props) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (list: FileList | null) => {
    const read = await Promise.all([...(list ?? [])].map(readText));
    setProblem(read.flatMap((one) => ("why" in one ? [`${one.name}: ${one.why}`] : [])).join("; ") || null);
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
      <input id={id} type="file" multiple onChange={(event) => void take(event.target.files)} />
      {problem && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

async function readText(file: File): Promise<ReadFile | { name: string; why: string }> {
  const { name } = file;
  if (file.size > mostBytes) return { name, why: `it is larger than ${mostBytes / 1e6} MB` };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.subarray(0, 8_000).includes(0) || /\.(?:pdf|docx)$/i.test(name))
    return { name, why: "only text is read here; on the command line, parley ask --docs reads it too" };
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { name, why: "it is not UTF-8" };
  }
}
