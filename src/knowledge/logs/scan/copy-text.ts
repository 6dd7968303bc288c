/** A copy that does not keep the text it was cut from alive. */
export function copyText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
