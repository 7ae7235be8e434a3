import { drawableLine } from "../shared/mod.ts";

// A quoted label ends only at a quotation mark, but its content is parsed several more times: as entities (#),
// directives (%%{), styles (style …: …#…;), Markdown, formulas ($$) and HTML. Entities are decoded after all of that.
const RISKY = /["#%&<>`*~|$:;\\[\]{}@]/;
// Where a line says this, even inside of a label, Mermaid takes the whole line for a statement.
const DIRECTION = /d(?=irection\s+(?:TB|BT|RL|LR|TD))/gi;
const LIST_START = /^(\s*)([-+]|\d+(?=[.)]))/;

/** Escapes a text for a quoted Mermaid label, on one line, so that it is shown verbatim. */
export function escapeLabel(text: string): string {
  // icons are parsed even later; an invisible character prevents that
  const line = drawableLine(text).replace(/(fa[bklrs]?):(?=fa-)/g, "$1:\u200B");
  let escaped = "";
  let index = 0;
  for (const character of line) {
    escaped += RISKY.test(character) || isEmphasis(line, index) ? entity(character) : character;
    index += character.length;
  }
  const shown = escaped.replace(DIRECTION, entity);
  return (
    shown.replace(LIST_START, (_, space: string, mark: string) => space + [...mark].map(entity).join("")) || "#160;"
  );
}

/** Whether Markdown takes an underscore for emphasis, which it does not between letters. */
function isEmphasis(line: string, index: number): boolean {
  if (line[index] !== "_") return false;
  return !/[\p{L}\p{N}]/u.test(line[index - 1] ?? "") || !/[\p{L}\p{N}]/u.test(line[index + 1] ?? "");
}

function entity(character: string): string {
  return `#${character.codePointAt(0)};`;
}
