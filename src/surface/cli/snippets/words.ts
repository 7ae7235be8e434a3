import type { Path } from "../../../base/errors.ts";
import { type Style, wrap } from "../../../base/values/mod.ts";

/** Places to name unless all are requested. */
const MOST_PLACES = 5;

/** The places of a snippet in one line, indented. */
export function placeLine(paths: readonly Path[], style: Style, verbose: boolean): readonly string[] {
  if (paths.length === 0) return [];
  const shown = verbose ? paths : paths.slice(0, MOST_PLACES);
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : "";
  return wrap(style, `in ${shown.map(placeName).join(", ")}${more}`, 4, "  ");
}

/** A node's id for its prompt, else the path. */
function placeName(path: Path): string {
  const [root, id, part, ...rest] = path;
  return root === "nodes" && part === "state_prompt" && rest.length === 0 ? String(id) : path.join(".");
}
