import type { PageCall, PageLine, PageNode } from "../../page_data.ts";
import { type Child, make } from "../common/mod.ts";
import { clock, duration, nodeLabel } from "./words.ts";

/** A transcript in which one line is selected. */
export interface SelectableTranscript {
  readonly element: HTMLElement;
  /** Selects a line and scrolls to it; `isFocused` moves the focus there too. */
  readonly select: (index: number, options?: { readonly isFocused?: boolean }) => void;
  /** Selects the first line of a node, or the next one after the selected line. */
  readonly selectNode: (node: number) => void;
}

/** Words of a line that are marked, and why. Positions are in UTF-16 units; the end is excluded. */
export interface LineMark {
  readonly from: number;
  readonly to: number;
  readonly title: string;
}

/**
 * Shows a transcript as a list, a group per stay at a node. The arrow keys move from line to line.
 *
 * @param onSelect Called with each selected line, and its index.
 * @param marks Marked words, by the index of their line.
 */
export function createTranscript(
  { lines }: Pick<PageCall, "lines">,
  nodes: readonly PageNode[],
  onSelect: (line: PageLine, index: number) => void,
  marks: ReadonlyMap<number, readonly LineMark[]> = new Map(),
): SelectableTranscript {
  const rows = lines.map((line, index) =>
    row(line, nodes, { role: "option", tabindex: index === 0 ? 0 : -1, "aria-selected": "false" }, marks.get(index)),
  );
  const element = make(
    "div",
    { class: "transcript", role: "listbox", "aria-label": "Transcript" },
    ...stays(lines, rows, nodes),
  );
  let selected = -1;

  function select(index: number, { isFocused = false } = {}): void {
    const [line, target] = [lines[index], rows[index]];
    if (!line || !target) return;
    for (const old of rows.slice(Math.max(0, selected), selected + 1)) {
      old.setAttribute("aria-selected", "false");
      old.tabIndex = -1;
    }
    if (selected < 0 && rows[0]) rows[0].tabIndex = -1;
    selected = index;
    target.setAttribute("aria-selected", "true");
    target.tabIndex = 0;
    if (isFocused) target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest" });
    for (const [place, each] of rows.entries()) each.classList.toggle("here", lines[place]?.node === line.node);
    onSelect(line, index);
  }

  element.addEventListener("click", ({ target }) => {
    const index = rows.findIndex((each) => target instanceof Node && each.contains(target));
    if (index >= 0) select(index, { isFocused: true });
  });
  element.addEventListener("keydown", (event) => {
    const last = rows.length - 1;
    const at = Math.max(0, selected);
    const moves: { readonly [key: string]: number } = {
      ArrowDown: selected < 0 ? 0 : Math.min(last, at + 1),
      ArrowUp: Math.max(0, at - 1),
      Home: 0,
      End: last,
      Enter: at,
      " ": at,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    select(next, { isFocused: true });
  });
  return {
    element,
    select,
    selectNode: (node) => {
      const later = lines.findIndex(
        (line, index) => line.node === node && index > selected && lines[index - 1]?.node !== node,
      );
      const found = later >= 0 ? later : lines.findIndex((line) => line.node === node);
      if (found >= 0) select(found);
    },
  };
}

/** A transcript as a plain list, for printing. */
export function plainTranscript({ lines }: PageCall, nodes: readonly PageNode[]): HTMLElement {
  const rows = lines.map((line) => row(line, nodes, {}));
  return make("div", { class: "transcript" }, ...stays(lines, rows, nodes));
}

/** Groups the lines of one stay at a node below its name. */
function stays(lines: readonly PageLine[], rows: readonly HTMLElement[], nodes: readonly PageNode[]): readonly Node[] {
  if (lines.length === 0) return [make("p", { class: "quiet", role: "presentation" }, "Nothing was said.")];
  const groups: HTMLElement[] = [];
  for (const [index, line] of lines.entries()) {
    const { type } = nodes[line.node] ?? {};
    const id = nodeLabel(nodes[line.node]);
    if (lines[index - 1]?.node !== line.node) {
      const name = make(
        "div",
        { class: "stay-name", role: "presentation" },
        make("b", {}, id === "" ? "(no node)" : id),
        type !== undefined && make("span", {}, type),
      );
      groups.push(make("div", { class: "stay", role: "group", "aria-label": `node ${id}` }, name));
    }
    const row = rows[index];
    if (row) groups.at(-1)?.append(row);
  }
  return groups;
}

function row(
  line: PageLine,
  nodes: readonly PageNode[],
  attributes: { readonly [name: string]: string | number },
  marks: readonly LineMark[] = [],
): HTMLElement {
  const [who, ...content] = contentOf(line, nodes, marks);
  return make(
    "div",
    { class: `line ${line.kind}`, ...attributes },
    make("span", { class: "time" }, clock(line.ms)),
    make("span", { class: "who" }, who),
    make("span", { class: "what" }, ...content),
  );
}

/** A text with its marked words. Marks that overlap an earlier one are left out. */
function markedText(text: string, marks: readonly LineMark[]): readonly Child[] {
  const parts: Child[] = [];
  let at = 0;
  for (const { from, to, title } of marks.toSorted((a, b) => a.from - b.from)) {
    if (from < at || to <= from || to > text.length) continue;
    parts.push(text.slice(at, from), make("mark", { title }, text.slice(from, to)));
    at = to;
  }
  return [...parts, text.slice(at)];
}

function contentOf(line: PageLine, nodes: readonly PageNode[], marks: readonly LineMark[]): readonly Child[] {
  const reasoning = "reasoning" in line && line.reasoning ? make("em", { class: "reasoning" }, line.reasoning) : null;
  switch (line.kind) {
    case "agent":
      return [
        "Agent",
        ...markedText(line.text, marks),
        line.isCut === true && make("em", {}, " (cut off at the model's token limit)"),
      ];
    case "caller":
      return ["Caller", ...markedText(line.text, marks)];
    case "move":
      return ["→", make("b", {}, nodeLabel(nodes[line.to])), ` ${line.because}`, reasoning];
    case "decision":
      return ["○", line.text, reasoning];
    case "unusable":
      return ["!", line.text, reasoning];
    case "values": {
      const values = line.values.map(([name, value]) =>
        make("span", { class: "value" }, make("b", {}, name), ` = ${value}`),
      );
      return ["=", ...(values.length > 0 ? values : ["no variable was filled"])];
    }
    case "tool": {
      const notes = [line.failed && "failed", line.mocked && "mock", line.took !== undefined && duration(line.took)];
      return [
        "ƒ",
        make("b", {}, line.name),
        make("code", { class: "short" }, `(${line.input.replace(/\s+/g, " ")})`),
        make("span", { class: "note" }, notes.filter(Boolean).join(", ")),
        make("code", { class: "short output" }, line.output.replace(/\s+/g, " ")),
      ];
    }
    case "system":
      return ["System", line.text];
    case "note":
      return ["·", line.text];
  }
}
