import type { Incident } from "../../knowledge/incidents/index.ts";
import { cutText } from "../../text/short-text.ts";

/** An incident as it is printed. */
export function writeIncident(incident: Incident): string {
  const {
    id,
    title,
    system,
    category,
    confidence,
    source,
    cause,
    symptoms,
    templates,
    errors,
    entities,
    chain,
    calls = [],
    resolution,
  } = incident;
  return [
    `${id}: ${title}`,
    `  system ${system} · category ${category} · confidence ${confidence} · ${source}`,
    `  Cause: ${cause}`,
    ...writeList("Symptoms", symptoms),
    ...writeList(
      "Errors",
      errors.map(({ type, message }) => (message === "" ? type : `${type}: ${message}`)),
    ),
    ...writeList("Templates", templates),
    ...writeList(
      "Entities",
      entities.map(({ type, name }) => `${type} ${name}`),
    ),
    ...writeList(
      "Causal chain",
      chain.map((link) => `${link.cause} → ${link.effect} (${link.confidence}, after ${link.delay_seconds} s)`),
    ),
    ...writeList(
      "Calls",
      calls.map(({ caller, callee }) => `${caller} → ${callee}`),
    ),
    ...writeList("Resolution", resolution),
    "",
  ].join("\n");
}

function writeList(title: string, items: string[]): string[] {
  return items.length === 0 ? [] : [`  ${title}:`, ...items.map((item) => `    - ${item}`)];
}

/** The incidents as a table. */
export function writeIncidentTable(incidents: readonly Incident[], width: number): string {
  const widest = (values: string[]) => Math.max(...values.map((value) => value.length));
  const idWidth = widest(incidents.map(({ id }) => id));
  const kindWidth = widest(incidents.map(({ category }) => category));
  const rows = incidents.map(({ id, category, source, cause }) => {
    const head = `${id.padEnd(idWidth)}  ${category.padEnd(kindWidth)}  ${source.padEnd(7)}  `;
    return `${head}${cutText(cause, Math.max(20, width - head.length))}`;
  });
  return `${rows.join("\n")}\n`;
}
