/** Reserved words, and the names that ejected files use. */
const TAKEN = [
  ..."break case catch class const continue debugger default delete do else enum export extends false finally for".split(
    " ",
  ),
  ..."function if import in instanceof new null return super switch this throw true try typeof var void while".split(
    " ",
  ),
  ..."with yield let static implements interface package private protected public await arguments eval".split(" "),
  ..."undefined NaN Infinity URL Object JSON async of as any unknown never".split(" "),
  ..."flow text number boolean choice tool part env scenario KitOf Kit kit base to when otherwise readFileSync".split(
    " ",
  ),
];

/** Creates readable, unique names. */
export class CodeNames {
  readonly #taken = new Set<string>(TAKEN);
  readonly #files = new Set<string>();

  /** `lookUpOrder` for "look up order", with a number if it is taken; `fallback` for words without letters. */
  constant(words: string, suffix = "", fallback = "text"): string {
    const parts = codeWords(words);
    const [first = "", ...others] = parts.length === 0 ? codeWords(fallback) : parts;
    const camel = [first, ...others.map((part) => `${part[0]?.toUpperCase()}${part.slice(1)}`)].join("");
    const base = /^\d/.test(camel) ? `number${camel}` : camel;
    return unused(`${base}${suffix}`, this.#taken, (name, count) => `${name}${count}`);
  }

  /** `look_up_order`, for a file. */
  file(words: string, fallback = "part"): string {
    const parts = codeWords(words);
    return unused(
      (parts.length === 0 ? [fallback] : parts).join("_"),
      this.#files,
      (name, count) => `${name}_${count}`,
    );
  }
}

function unused(base: string, taken: Set<string>, numbered: (base: string, count: number) => string): string {
  let name = base;
  for (let count = 2; taken.has(name); count++) name = numbered(base, count);
  taken.add(name);
  return name;
}

/** At most eight words in lower case: accents are dropped, and `lookUp` is two words. */
function codeWords(text: string): readonly string[] {
  const plain = text.slice(0, 200).normalize("NFKD").replaceAll("ß", "ss");
  const spaced = plain.replace(/\p{M}/gu, "").replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  const words = spaced.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const [first, ...others] = words.slice(0, 8).map((word) => word.toLowerCase());
  if (first === undefined) return [];
  return first === "node" && /^[a-z]/.test(others[0] ?? "") ? others : [first, ...others]; // the word says nothing about a node
}
