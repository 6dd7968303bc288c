/** A log entry holds names and numbers, never the text of a case, a reply or a token. */
export type LogLine = Record<string, string | number | boolean | null>;

export type Log = (event: string, line?: LogLine) => void;

export function createLog(write: (text: string) => void, now: () => Date): Log {
  return (event, line = {}) => write(`${JSON.stringify({ time: now().toISOString(), event, ...line })}\n`);
}
