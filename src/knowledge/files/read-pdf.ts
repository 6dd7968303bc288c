const maxPages = 2_000;

export async function readPdf(bytes: Buffer): Promise<string> {
  const { extractText, getDocumentProxy } = await import("unpdf");
  const open = async () => {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    if (pdf.numPages > maxPages) throw new Error(`${pdf.numPages} pages, at most ${maxPages} are read`);
    return (await extractText(pdf, { mergePages: false })).text;
  };
  const pages = await open().catch((cause: unknown) => {
    throw new Error(explain(cause), { cause });
  });
  const text = pages.map((page) => page.trim()).join("\n\n");
  if (text.trim() === "") throw new Error("the PDF holds no text (scanned pages?)");
  return text;
}

function explain(cause: unknown): string {
  const { name = "", message = "" } = cause instanceof Error ? cause : {};
  if (name === "PasswordException") return "the PDF is locked with a password";
  return message.includes("pages, at most") ? message : `not a PDF that can be read (${message || String(cause)})`;
}
