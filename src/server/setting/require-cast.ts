import { ParleyError } from "../../contract/error.ts";
import { shortenText } from "../../text/short-text.ts";

/** The cast, when the owner allows it to be used from outside. */
export function requireCast(casts: readonly string[], given: string | undefined): string {
  const wanted = (given ?? casts[0] ?? "expert").trim();
  if (casts.includes(wanted)) return wanted;
  throw new ParleyError(
    "bad_cast",
    `the cast "${shortenText(wanted)}" may not be used here; allowed: ${casts.join(" · ")}. Whoever runs the server adds others with --allow-cast`,
  );
}
