/** No timestamp has more numbers. */
const mostNumbers = 10;
const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec";
const zone = /([+-])(\d{2}):?(\d{2})$/;

/** The numbers of one timestamp with how they were written, and the month that it names; reused from one to the next. */
export class TimestampNumbers {
  count = 0;
  /** The month that is named (January is 1), or 0. */
  month = 0;
  private text = "";
  private readonly values = new Float64Array(mostNumbers + 6);
  private readonly widths = new Int32Array(mostNumbers + 6);
  /** The character code before each number. */
  private readonly before = new Int32Array(mostNumbers + 6);

  read(text: string): void {
    this.text = text;
    this.count = 0;
    this.month = 0;
    let position = 0;
    while (position < text.length && this.count < mostNumbers) {
      const code = text.charCodeAt(position);
      if (isDigit(code)) position = this.readNumber(text, position);
      else {
        if (this.month === 0 && code >= 65 && code <= 90) this.month = findMonth(text, position);
        position += 1;
      }
    }
  }

  /** The number at a place before `end`; 0 when there is none. */
  at(place: number, end = this.count): number {
    return place < end ? (this.values[place] ?? 0) : 0;
  }

  /** How many digits a number was written with; 0 when there is none. */
  widthAt(place: number): number {
    return place < this.count ? (this.widths[place] ?? 0) : 0;
  }

  /** The number at a place as the digits behind a point: 0.25 for `25`. */
  fractionAt(place: number): number {
    return this.at(place) / 10 ** this.widthAt(place);
  }

  /** Adds hour, minute, second and fraction, which begin at number `place` and end before `end`, to a day. */
  addTimeOfDay(startOfDay: number, place: number, end = this.count): number {
    const seconds = this.at(place, end) * 3600 + this.at(place + 1, end) * 60 + this.at(place + 2, end);
    const time = startOfDay + seconds * 1000;
    const hasFraction = place + 3 < end && isPoint(this.before[place + 3] ?? 0);
    return hasFraction ? time + Math.floor(this.fractionAt(place + 3) * 1000 + 1e-6) : time;
  }

  /** Milliseconds that a trailing `+02:00` is ahead of UTC. */
  readZone(): number {
    const { text } = this;
    if (!isSign(text.charCodeAt(text.length - 6)) && !isSign(text.charCodeAt(text.length - 5))) return 0;
    const match = zone.exec(text);
    if (!match || text.length < 16) return 0;
    const minutes = Number(match[2]) * 60 + Number(match[3]);
    return (match[1] === "-" ? -1 : 1) * minutes * 60_000;
  }

  /** Reads the digits from `start` on and returns where they end. */
  private readNumber(text: string, start: number): number {
    let value = 0;
    let end = start;
    for (let code = text.charCodeAt(end); isDigit(code); code = text.charCodeAt(end)) {
      value = value * 10 + code - 48;
      end += 1;
    }
    this.before[this.count] = start > 0 ? text.charCodeAt(start - 1) : 0;
    this.pushParts(value, end - start);
    return end;
  }

  /** Dates and times written without separators (`20171223`, `081109 203615`) are taken apart. */
  private pushParts(value: number, width: number): void {
    const isCompactDate = this.count === 0 && (width === 8 || width === 6);
    const isCompactTime = this.count === 3 && width === 6 && this.widths[0] === 2;
    if (!isCompactDate && !isCompactTime) return this.push(value, width);
    this.push(Math.floor(value / 10_000), width - 4);
    this.push(Math.floor(value / 100) % 100, 2);
    this.push(value % 100, 2);
  }

  private push(value: number, width: number): void {
    this.values[this.count] = value;
    this.widths[this.count] = width;
    this.count += 1;
  }
}

function findMonth(text: string, position: number): number {
  const at = monthNames.indexOf(text.slice(position, position + 3));
  return at >= 0 && at % 3 === 0 ? at / 3 + 1 : 0;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A dot, a comma or a colon. */
function isPoint(code: number): boolean {
  return code === 46 || code === 44 || code === 58;
}

/** Plus or minus. */
function isSign(code: number): boolean {
  return code === 43 || code === 45;
}
