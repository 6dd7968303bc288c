import { findCause } from "../events/find-cause.ts";

/** What a kind of error can be read from: the beginning of a line. */
const longest = 1000;
const thrown = /\b((?:[a-z][\w$]*\.)*[A-Z][\w$]*(?:Exception|Error|Failure|Fault|Interrupt))\b/;
const exceptionName = /^((?:[\w$]+\.)*[A-Z][\w$]*)/;

const phrases: readonly (readonly [RegExp, string])[] = [
  [/connection refused/i, "ConnectionRefused"],
  [/connection (?:was )?reset|forcibly closed/i, "ConnectionReset"],
  [/broken pipe/i, "BrokenPipe"],
  [/no route to host|network is unreachable|host (?:is )?unreachable/i, "HostUnreachable"],
  [/unknown host|name or service not known|could not resolve|nxdomain/i, "NameResolution"],
  [/timed? ?out|deadline exceeded/i, "Timeout"],
  [/no space left|disk (?:is )?full|disk quota exceeded|not enough space/i, "DiskFull"],
  [/out of memory|cannot allocate memory|oom/i, "OutOfMemory"],
  [/too many open files/i, "TooManyOpenFiles"],
  [/permission denied|access denied|forbidden|unauthori[sz]ed|not authori[sz]ed/i, "PermissionDenied"],
  [/authentication fail|invalid user|failed password|login failed|bad credentials/i, "AuthenticationFailure"],
  [/certificate|tls|ssl handshake/i, "TlsFailure"],
  [/no such file|not found|does not exist/i, "NotFound"],
  [/deadlock/i, "Deadlock"],
  [/checksum|corrupt|parity/i, "Corruption"],
  [/segmentation fault|segfault|core dumped/i, "Crash"],
  [/kernel panic|panic/i, "Panic"],
  [/killed|sigkill|sigterm/i, "Killed"],
  [/link (?:has been )?(?:down|severed)|interface .* down/i, "LinkDown"],
];

/** Names the kind of an error: the deepest cause of a stack trace, an exception that is named, else a known phrase; or null. */
export function findErrorType(message: string, extra: readonly string[] | null): string | null {
  if (message.length > longest) return findErrorType(message.slice(0, longest), extra);
  const cause = exceptionName.exec(findCause(extra) ?? "")?.[1];
  if (cause !== undefined) return shortenName(cause);
  const named = thrown.exec(message)?.[1];
  if (named !== undefined) return shortenName(named);
  return phrases.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

/** What happened in one line: the message, and the line of its stack that names the cause. */
export function writeErrorText(message: string, extra: readonly string[] | null): string {
  const cause = findCause(extra);
  return cause === null || message.includes(cause) ? message : `${message}: ${cause}`;
}

/** True when the message or its stack names an exception, whatever its level is. */
export function namesException(message: string, extra: readonly string[] | null): boolean {
  return (
    thrown.test(message.slice(0, longest)) || (extra?.some((line) => thrown.test(line.slice(0, longest))) ?? false)
  );
}

function shortenName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
