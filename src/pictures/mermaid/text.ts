import { oneLine } from "../shared/mod.ts";

// A quoted label ends at a quotation mark only, but what is inside is read several times more: as entities (#), as
// directives (%%{), as styles (style …: …#…;), as Markdown, as formulas ($$) and as HTML. Entities
// are turned into characters after all of that.
const RISKY = /["#%&<>`*~|$:;\\[\]{}@]/;
const LIST_START = /^(\s*)([-+]|\d+(?=[.)]))/;

/** Text for the inside of a quoted Mermaid label, on one line, shown to the letter. */
export function escapeLabel(text: string): string {
  // Icons alone are looked for after that; something that nobody sees stands in their way.
  const line = oneLine(text).replace(/(fa[bklrs]?):(?=fa-)/g, "$1:\u200B");
  let escaped = "";
  let index = 0;
  for (const character of line) {
    escaped += RISKY.test(character) || isEmphasis(line, index) ? entity(character) : character;
    index += character.length;
  }
  return (
    escaped.replace(LIST_START, (_, space: string, mark: string) => space + [...mark].map(entity).join("")) || "#160;"
  );
}

/** Markdown takes an underline for emphasis, unless letters are on both sides of it. */
function isEmphasis(line: string, index: number): boolean {
  if (line[index] !== "_") return false;
  return !/[\p{L}\p{N}]/u.test(line[index - 1] ?? "") || !/[\p{L}\p{N}]/u.test(line[index + 1] ?? "");
}

function entity(character: string): string {
  return `#${character.codePointAt(0)};`;
}
