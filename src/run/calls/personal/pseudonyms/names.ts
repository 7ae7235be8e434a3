import type { Dictionary } from "../dictionary.ts";
import type { Keyed } from "../keyed.ts";

const STARTS =
  "bel bran brel cal cor crel dal dor drel el fal fen fel gal gar gel gor hal har hel hol jar jor jel kel kir kor lan lor lel mal mer mor nel nor nal or per pal quil ral ros rel sel sor sal tal tor tel val vel ver wen wil wor yor yel zel zor zan".split(
    " ",
  );
const MIDDLES = "a e i o u an en in on ar er or al el il av ev iv ad ed".split(" ");
const ENDS =
  "bram dovan dric dwyn fane fell gard gren leth lind lora mira mond moran nath neth nova quin rath ric ryn sante thea thor vane vara vell vern wick wyn zora dora dell brin kell lyn mont phine rell stan trell vance vira".split(
    " ",
  );
const SHAPE = new RegExp(`^(?:${STARTS.join("|")})(?:${MIDDLES.join("|")})(?:${ENDS.join("|")})$`);

/** Makes invented names that nobody has; a name that is already invented stays. */
export interface NamePool {
  /** The invented name of a word, in lower case. */
  readonly nameOf: (word: string) => string;
  /** Whether a word is an invented name. */
  readonly has: (word: string) => boolean;
}

/** Creates the pool. Its 52,000 names are combined from syllables; existing names are left out. */
export function createNamePool(keyed: Keyed, { isName }: Dictionary): NamePool {
  const kept = new Map<string, string>();
  const has = (word: string) => SHAPE.test(word) && !isName(word);
  return {
    has,
    nameOf: (word) => {
      const known = kept.get(word);
      if (known !== undefined) return known;
      const draw = keyed("name", word);
      const part = (parts: readonly string[]) => parts[draw(parts.length)] ?? "";
      let name = "";
      do name = part(STARTS) + part(MIDDLES) + part(ENDS);
      while (!has(name));
      kept.set(word, name);
      return name;
    },
  };
}

/** Writes a word with the capitals of another one: `MARIA`, `Maria` or `maria`. */
export function inCaseOf(word: string, model: string): string {
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase();
  const first = model[0] ?? "";
  return first === first.toLowerCase() ? word : word.slice(0, 1).toUpperCase() + word.slice(1);
}
