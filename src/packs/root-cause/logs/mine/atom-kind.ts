import { kinds, type TokenKind } from "./token-kind.ts";

/** What was counted while reading an atom: a run of letters, digits and joiners such as `.`, `-`, `_`, `/`. */
export type AtomCounts = {
  letters: number;
  digits: number;
  nonHexLetters: number;
  dots: number;
  slashes: number;
  backslashes: number;
  dashes: number;
  colons: number;
};

const unit =
  /^[+-]?\d[\d.,/:+-]*(?:[num]?s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|d|days?|[kmgtp]i?b?|b|bytes?|[kmg]?hz|[kmg]?bps|[cfvwx]|rpm|px|pages?|th|st|nd|rd|am|pm)%?$/i;
const dateTime =
  /^\d{1,4}[-/.]\w{1,3}[-/.]\d{1,4}(?:[T:_-]\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const ip = /^\/?\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d+|\/\d+)?$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hex = /^[+-]?0x[0-9a-f]+$/i;
const domain =
  /^(?:[a-z0-9_-]+\.)+(?:com|net|org|edu|gov|mil|int|io|cn|de|uk|ru|jp|fr|eu|us|ca|au|hk|tw|kr|br|nl|ch|se|pl|local|lan|internal|localdomain|arpa)(?::\d+)?$/i;

/** Says what an atom without digits is. */
export function wordKind(atom: string, counts: AtomCounts): TokenKind {
  if (counts.letters === 0) return kinds.delimiter;
  if (counts.backslashes >= 2 || (counts.colons > 0 && counts.backslashes > 0)) return kinds.path;
  if (counts.slashes > 0 && (counts.slashes >= 2 || /^(?:\/|\.{1,2}\/|~\/)|\/\./.test(atom))) return kinds.path;
  if (counts.dots > 0 && domain.test(atom)) return kinds.host;
  return kinds.word;
}

/** Says what an atom with digits is. */
export function digitKind(atom: string, counts: AtomCounts): TokenKind {
  if (counts.letters === 0) return counts.dots === 3 && ip.test(atom) ? kinds.ip : numericKind(atom, counts);
  if (counts.backslashes > 0) return counts.backslashes > 1 || counts.colons > 0 ? kinds.path : kinds.glued;
  if (atom.charCodeAt(0) === 47 || counts.slashes >= 2) return kinds.path;
  if (counts.nonHexLetters <= 1 && hex.test(atom)) return kinds.hex;
  if (counts.nonHexLetters === 0) {
    if (counts.dashes === 4 && uuid.test(atom)) return kinds.uuid;
    if (counts.colons >= 2) return kinds.ip;
    if (counts.letters + counts.digits === atom.length && atom.length >= 6) return kinds.hex;
  }
  if (unit.test(atom)) return kinds.number;
  if (dateTime.test(atom)) return kinds.time;
  if (counts.dots > 0 && domain.test(atom)) return kinds.host;
  return kinds.glued;
}

function numericKind(atom: string, counts: AtomCounts): TokenKind {
  if (counts.slashes > 0 && atom.charCodeAt(0) === 47) return kinds.path;
  return counts.colons > 0 || counts.dashes > 1 || counts.slashes > 1 ? kinds.time : kinds.number;
}
