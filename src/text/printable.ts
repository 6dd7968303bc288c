/** What can steer a terminal or turn the reading direction: C0 but for tab and newline, DEL, C1, marks of direction. */
const steering =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|\r(?!\n)/;
const everySteering = new RegExp(steering, "g");

/** Text from anywhere as a terminal may show it: what would steer it is written as `\u001b`. JSON stays the same JSON. */
export function makePrintable(text: string): string {
  if (!steering.test(text)) return text;
  return text.replaceAll(everySteering, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
