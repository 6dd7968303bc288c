import { kinds, marks, type TokenKind } from "./token-kind.ts";

const units = new Set(
  "ns us ms s sec secs second seconds min mins minute minutes h hr hrs hour hours d day days k m g t p kb mb gb tb pb kib mib gib tib pib ki mi gi ti b byte bytes hz khz mhz ghz bps kbps mbps gbps c f v w x rpm px page pages th st nd rd am pm".split(
    " ",
  ),
);
const dateTime =
  /^\d{1,4}[-/.]\w{1,3}[-/.]\d{1,4}(?:[T:_-]\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hex = /^[+-]?0x[0-9a-f]+$/i;
const bareHex = /^[0-9a-f]{6,}$/i;
const hardwareAddress = /^[0-9a-f]*:[0-9a-f]*:[0-9a-f:]*$/i;
const drive = /^[A-Za-z]:\\/;
const domain =
  /^(?:[a-z0-9_-]+\.)+(?:com|net|org|edu|gov|mil|int|io|cn|de|uk|ru|jp|fr|eu|us|ca|au|hk|tw|kr|br|nl|ch|se|pl|local|lan|internal|localdomain|arpa)(?::\d+)?$/i;

const anyLetter = marks.hexLetter | marks.letter;
const structured = marks.digit | marks.dot | marks.slash | marks.backslash;

/** Says what an atom is (a run of letters, digits and joiners such as `.`, `-`, `_`, `/`) from the marks in it. */
export function classifyAtom(atomMarks: number, text: string, from: number, end: number): TokenKind {
  if ((atomMarks & structured) === 0) return (atomMarks & anyLetter) === 0 ? kinds.delimiter : kinds.word;
  if ((atomMarks & marks.digit) === 0) return classifyWord(text.slice(from, end), atomMarks);
  if ((atomMarks & anyLetter) === 0) return classifyNumeric(atomMarks, text, from, end);
  const first = text.charCodeAt(from);
  if ((atomMarks & marks.backslash) !== 0) return isWindowsPath(text.slice(from, end)) ? kinds.path : kinds.glued;
  if (first === 47 || ((atomMarks & marks.slash) !== 0 && countCode(47, text, from, end) >= 2)) return kinds.path;
  const startsNumber = (first >= 48 && first <= 57) || first === 43 || first === 45;
  if (startsNumber) return classifyMeasure(text.slice(from, end), atomMarks);
  if ((atomMarks & (marks.letter | marks.joiner)) === 0) return classifyHex(text.slice(from, end), atomMarks);
  return (atomMarks & marks.dot) !== 0 && domain.test(text.slice(from, end)) ? kinds.host : kinds.glued;
}

/** What begins with a digit or sign and has letters: hex, a number with its unit, a date, else something glued. */
function classifyMeasure(atom: string, atomMarks: number): TokenKind {
  if (isMeasure(atom)) return kinds.number;
  if (hex.test(atom)) return kinds.hex;
  if ((atomMarks & marks.letter) === 0) return classifyHex(atom, atomMarks);
  if (dateTime.test(atom)) return kinds.time;
  return (atomMarks & marks.dot) !== 0 && domain.test(atom) ? kinds.host : kinds.glued;
}

/** A number and a unit, as in `40ms`, `1.5GB` or `12/s`. */
function isMeasure(atom: string): boolean {
  let at = 0;
  while (at < atom.length && !isLetter(atom.charCodeAt(at))) at += 1;
  if (atom.length - at > 8) return false;
  const percent = atom.charCodeAt(atom.length - 1) === 37 ? 1 : 0;
  return units.has(atom.slice(at, atom.length - percent).toLowerCase()) && (at < 6 || !/^\d{6,}[a-f]$/i.test(atom));
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** Digits with letters up to f: an id in hex, a hardware or IPv6 address, or after all a measure such as `5d`. */
function classifyHex(atom: string, atomMarks: number): TokenKind {
  if ((atomMarks & marks.dash) !== 0 && uuid.test(atom)) return kinds.uuid;
  if ((atomMarks & marks.colon) !== 0 && hardwareAddress.test(atom)) return kinds.ip;
  if (bareHex.test(atom)) return kinds.hex;
  return (atomMarks & marks.dot) !== 0 && domain.test(atom) ? kinds.host : kinds.glued;
}

function classifyWord(atom: string, atomMarks: number): TokenKind {
  if ((atomMarks & anyLetter) === 0) return kinds.delimiter;
  if ((atomMarks & marks.backslash) !== 0 && isWindowsPath(atom)) return kinds.path;
  if ((atomMarks & marks.slash) !== 0 && (countCode(47, atom) >= 2 || /^(?:\/|\.{1,2}\/|~\/)|\/\./.test(atom))) {
    return kinds.path;
  }
  return (atomMarks & marks.dot) !== 0 && domain.test(atom) ? kinds.host : kinds.word;
}

function classifyNumeric(atomMarks: number, text: string, from: number, end: number): TokenKind {
  const slash = text.charCodeAt(from) === 47;
  if ((atomMarks & marks.dot) !== 0 && isAddress(text, slash ? from + 1 : from, end)) return kinds.ip;
  if (slash) return kinds.path;
  if ((atomMarks & marks.colon) !== 0) return kinds.time;
  const isDate = countCode(45, text, from, end) > 1 || countCode(47, text, from, end) > 1;
  return isDate ? kinds.time : kinds.number;
}

/** Four numbers of up to three digits between dots, then optionally a port or prefix length. */
function isAddress(text: string, from: number, end: number): boolean {
  let parts = 1;
  let digits = 0;
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) digits += 1;
    else if (code === 46 && digits > 0) {
      parts += 1;
      digits = 0;
    } else return parts === 4 && digits > 0 && digits <= 3 && (code === 58 || code === 47);
    if (digits > 3) return false;
  }
  return parts === 4 && digits > 0;
}

function isWindowsPath(atom: string): boolean {
  return drive.test(atom) || countCode(92, atom) >= 2;
}

function countCode(code: number, text: string, from = 0, end = text.length): number {
  let count = 0;
  for (let at = from; at < end; at += 1) if (text.charCodeAt(at) === code) count += 1;
  return count;
}
