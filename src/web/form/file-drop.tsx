import { useId, useState } from "react";

type ReadFile = { name: string; text: string };
type Props = { label: string; onFiles: (files: ReadFile[]) => void };

const mostBytes = 5_000_000;

export function FileDrop({ label, onFiles }: Props) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (list: FileList) => {
    const read = await Promise.all([...list].map(readFile));
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
      <input id={id} type="file" multiple onChange={(event) => event.target.files && void take(event.target.files)} />
      <p className="secondary">Text files, 5 MB each. PDF and Word documents: parley ask --docs</p>
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
  if (bytes.subarray(0, 8_000).includes(0)) return { why: `${name}: that is not a text file` };
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { why: `${name}: it is not UTF-8` };
  }
}
