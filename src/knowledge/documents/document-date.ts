import { readValues } from "./values/read-values.ts";

/** A line that dates a document: "Date: …", "Revised 5 May 2025", "Tanggal: …", "개정일: …". */
const dateLine =
  /^[\s>*_-]*(?:date|dated|revised|updated|last updated|version of|as of|effective|published|issued|tanggal|diperbarui|berlaku|per tanggal|작성일|개정일|시행일|갱신일|날짜|일자)(?=[\s:*]).{0,80}$/im;

/** The date of a document as a number that orders dates (20240112), from the line that gives it among the first ones; null when none does. */
export function readDate(text: string): number | null {
  const head = text.split("\n", 15).join("\n");
  const line = dateLine.exec(head)?.[0];
  return line === undefined ? null : (findDates(line)[0] ?? null);
}

/** The dates in a text as numbers that order them; a missing month or day is the first. */
export function findDates(text: string): number[] {
  return readValues(text).values.flatMap((value) => {
    const [date] = value.kind === "date" ? value.readings : [];
    return date?.year == null ? [] : [orderDate(date.year, date.month ?? 1, date.day ?? 1)];
  });
}

/** A date as a number that orders dates. */
export function orderDate(year: number, month: number, day: number): number {
  return year * 10_000 + month * 100 + day;
}

/** `2024-01-12` */
export function formatDate(date: number): string {
  const digits = String(date).padStart(8, "0");
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}
