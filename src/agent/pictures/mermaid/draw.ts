import type { AgentGraph, AgentNode } from "../../../document/graph/mod.ts";
import {
  type CutOutOptions,
  conditionLabel,
  cutOut,
  drawableLine,
  leavingOf,
  nodeLabels,
  nodeWords,
  shortened,
  stubWords,
  transitionLabel,
  wrappedLines,
} from "../shared.ts";

const LONGEST_NAME = 40;
const LONGEST_WORDS = 90;
const LINE = 25; // Mermaid breaks lines at 200 pixels, about 27 characters
const MOST_EXTRA_LINES = 4;

// Text colours are set too, because GitHub also has a dark mode. Avoid Mermaid's keywords as names: call, end, …
const CLASSES: readonly (readonly [name: string, style: string])[] = [
  ["conversation", "fill:#ffffff,stroke:#64748b,color:#0f172a"],
  ["logic", "fill:#fef9c3,stroke:#ca8a04,color:#422006"],
  ["extract", "fill:#e0f2fe,stroke:#0284c7,color:#082f49"],
  ["tool", "fill:#f1f5f9,stroke:#475569,color:#0f172a"],
  ["ending", "fill:#fee2e2,stroke:#dc2626,color:#450a0a"],
  ["transfer", "fill:#ffedd5,stroke:#ea580c,color:#431407"],
  ["entry", "fill:#dcfce7,stroke:#16a34a,stroke-width:2px,color:#052e16"],
  ["everywhere", "stroke:#9333ea,stroke-width:3px"],
  ["anyplace", "fill:#faf5ff,stroke:#9333ea,stroke-dasharray:4 3,color:#3b0764"],
  ["elsewhere", "fill:#f8fafc,stroke:#cbd5e1,color:#475569"],
  ["missing", "fill:#ffffff,stroke:#dc2626,stroke-dasharray:4 3,color:#450a0a"],
];

type Shape = readonly [open: string, close: string, className: string];

const SHAPES: { readonly [Type in AgentNode["node_type"]]: Shape } = {
  conversation: ["[", "]", "conversation"],
  logic: ["{", "}", "logic"],
  extract: ["{{", "}}", "extract"],
  function: ["[[", "]]", "tool"],
  end: ["([", "])", "ending"],
  transfer: ["([", "])", "transfer"],
};

const ANYWHERE = "anywhere";

/**
 * Draws a graph as a Mermaid flowchart, which GitHub renders. Global nodes are linked to one extra node for "wherever
 * the caller is", so that they add two edges each instead of one per conversation node.
 *
 * @throws {GraphError} `unknown-node`, `invalid-option`.
 */
export function drawMermaid(graph: AgentGraph, options: CutOutOptions = {}): string {
  const drawn = cutOut(graph, options);
  const nodes = Object.entries(graph.nodes).filter(([id]) => drawn?.has(id) ?? true);
  const names = new Map(nodes.map(([id], index) => [id, `n${index}`]));
  const labelOf = nodeLabels(graph, LONGEST_NAME);
  const stubs: string[] = [];
  const globals = nodes.filter(([, node]) => node.global_node_setting);
  const missing = new Map<string, string>();
  const nameOf = (id: string): string => {
    const name = names.get(id) ?? missing.get(id) ?? `missing${missing.size}`;
    if (!names.has(id)) missing.set(id, name);
    return name;
  };

  const edges: string[] = [];
  const globalEdges: number[] = [];
  for (const [id, node] of nodes) {
    const leaving = leavingOf(node, graph, drawn);
    for (const transition of node.transitions) {
      if (leaving.has(transition)) continue;
      edges.push(edge(nameOf(id), "-->", transitionLabel(transition, node), nameOf(transition.target_node_id)));
    }
    if (leaving.size === 0) continue;
    const stub = `more${stubs.length}`;
    stubs.push(`${stub}[${label([stubWords(leaving, labelOf)])}]:::elsewhere`);
    const [only] = leaving;
    edges.push(edge(nameOf(id), "-->", leaving.size === 1 && only ? transitionLabel(only, node) : "", stub));
  }
  for (const [id, { global_node_setting: setting }] of globals) {
    if (!setting) continue;
    globalEdges.push(edges.length);
    edges.push(edge(ANYWHERE, "==>", setting.condition, nameOf(id)));
    for (const { condition } of setting.go_back_conditions) {
      globalEdges.push(edges.length);
      edges.push(edge(nameOf(id), "-.->", conditionLabel(condition) || "back", ANYWHERE));
    }
  }

  const entry = names.get(graph.entry_node_id);
  const lines = [
    "flowchart TD",
    ...nodes.map(([id, node]) => drawNode(nameOf(id), labelOf(id), node)),
    ...[...missing].map(([id, name]) => `${name}[${label([`${labelOf(id)} is missing`])}]:::missing`),
    ...stubs,
    ...(globals.length > 0 ? [`${ANYWHERE}((${label(["wherever", "the caller is"])})):::anyplace`] : []),
    ...edges,
    ...(entry === undefined ? [] : [`class ${entry} entry`]),
    ...(globals.length > 0 ? [`class ${globals.map(([id]) => nameOf(id)).join(",")} everywhere`] : []),
    ...(globalEdges.length > 0 ? [`linkStyle ${globalEdges.join(",")} stroke:#9333ea`] : []),
    ...CLASSES.filter(([name]) => name !== "elsewhere" || stubs.length > 0).map(
      ([name, style]) => `classDef ${name} ${style}`,
    ),
  ];
  return `${lines.map((line, index) => (index === 0 ? line : `  ${line}`)).join("\n")}\n`;
}

function drawNode(name: string, title: string, node: AgentNode): string {
  const [open, close, className] = SHAPES[node.node_type];
  const extra = nodeWords(node);
  const left = extra.length - MOST_EXTRA_LINES;
  const shown = [...extra.slice(0, MOST_EXTRA_LINES), ...(left > 0 ? [`and ${left} more`] : [])];
  return `${name}${open}${label([title, ...shown.map((line) => shortened(line, LONGEST_NAME))])}${close}:::${className}`;
}

function edge(from: string, arrow: string, words: string, to: string): string {
  const text = shortened(words, LONGEST_WORDS);
  return text === "" ? `${from} ${arrow} ${to}` : `${from} ${arrow}|${label(wrappedLines(text, LINE))}| ${to}`;
}

function label(lines: readonly string[]): string {
  return `"${lines.map(escapeLabel).join("<br/>")}"`;
}

// A quoted label ends only at a quotation mark, but its content is parsed several more times: as entities (#),
// directives (%%{), styles (style …: …#…;), Markdown, formulas ($$) and HTML. Entities are decoded after all of that.
const RISKY = /["#%&<>`*~|$:;\\[\]{}@]/;
// Where a line says this, even inside of a label, Mermaid takes the whole line for a statement.
const DIRECTION = /d(?=irection\s+(?:TB|BT|RL|LR|TD))/gi;
const LIST_START = /^(\s*)([-+]|\d+(?=[.)]))/;

/** Escapes a text for a quoted Mermaid label, on one line, so that it is shown verbatim. */
function escapeLabel(text: string): string {
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
