import { type AgentGraph, nodeNames } from "../../../document/graph/mod.ts";

/** Shortens a text to a length in whole characters, between words where possible, with an ellipsis. */
export function shortened(text: string, most: number): string {
  const line = [...drawableLine(text)];
  if (line.length <= most) return line.join("");
  const head = line.slice(0, most - 1).join("");
  const atWord = head.replace(/\s+\S*$/, "");
  return `${atWord.length > head.length / 2 ? atWord : head}…`;
}

/**
 * Shortens names that are labels to a length, in the middle, because names of one kind begin and end alike. Names that
 * would read the same are shown whole.
 */
export function shortNames(names: readonly string[], most: number): readonly string[] {
  const lines = names.map((name) => [...drawableLine(name)]);
  const tail = Math.floor(most / 2);
  const cut = lines.map((line) =>
    line.length <= most ? line.join("") : `${line.slice(0, most - 1 - tail).join("")}…${line.slice(-tail).join("")}`,
  );
  const counts = new Map<string, number>();
  for (const each of cut) counts.set(each, (counts.get(each) ?? 0) + 1);
  return cut.map((each, index) => ((counts.get(each) ?? 0) > 1 ? (lines[index] ?? []).join("") : each));
}

/** The labels of a graph's nodes by id: their names, and the ids of targets that it does not have. */
export function nodeLabels(graph: AgentGraph, most: number): (id: string) => string {
  const names = nodeNames(graph);
  const ids = Object.keys(graph.nodes);
  const short = shortNames(ids.map(names.of), most);
  const labels = new Map(ids.map((id, index) => [id, short[index] ?? id]));
  return (id) => labels.get(id) ?? shortNames([id], most)[0] ?? id;
}

/** Splits a text into lines of about the given length, between words. */
export function wrappedLines(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of drawableLine(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Removes line breaks, invisible characters and characters that files cannot contain. */
export function drawableLine(text: string): string {
  return text
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uFFFE\uFFFF]/g, "\uFFFD")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}
