import { GraphError } from "../../base/errors.ts";
import { checkOptions, didYouMean, OPTION, own, shown, visibleDirections } from "../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type EquationClause,
  isSilent,
  isUnary,
  nodeNames,
  type Transition,
  type TransitionCondition,
} from "../../document/graph/mod.ts";

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
function shortNames(names: readonly string[], most: number): readonly string[] {
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

/** Shows controls of the direction of text, and removes line breaks, invisible characters and characters that files cannot contain. */
export function drawableLine(text: string): string {
  return visibleDirections(text)
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uFFFE\uFFFF]/g, "\uFFFD")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["contains", "contains"],
  ["not_contains", "does not contain"],
  ["exists", "is known"],
  ["not_exist", "is not known"],
  ["!=", "≠"],
  [">=", "≥"],
  ["<=", "≤"],
  ["==", "="],
]);

/** Describes when a transition is taken; empty when there is nothing to say. */
export function transitionLabel(transition: Transition, node: AgentNode): string {
  const { condition, timing } = transition;
  if (condition.type === "tool_call" && !condition.value && node.node_type === "transfer")
    return `transfer ${condition.outcome ?? "has ended"}`;
  if (condition.type !== "always") return conditionLabel(condition);
  if (timing === "else") return "else";
  if (timing === "skip_response") return "at once";
  return isSilent(node) && node.transitions.length > 1 ? "else" : "";
}

/** Describes a condition: the text of an LLM condition, or equations such as `age ≥ 18 and plan = gold`. */
export function conditionLabel(condition: TransitionCondition): string {
  switch (condition.type) {
    case "llm_prompt":
      return condition.value;
    case "equation": {
      const clauses = (condition.equations ?? []).map(clauseLabel);
      return clauses.length === 0 ? condition.value : clauses.join(` ${condition.logical_operator ?? "and"} `);
    }
    case "tool_call":
      return `${condition.value || "tool"} ${condition.outcome ?? "has answered"}`;
    case "always":
      return "";
  }
}

function clauseLabel({ left, operator, right }: EquationClause): string {
  const words = OPERATORS.get(operator) ?? operator;
  if (isUnary(operator)) return `${left} ${words}`;
  return `${left} ${words} ${right === "" || right === undefined || right === null ? '""' : String(right)}`;
}

/** Returns the lines of a node's label below its id: the variables it fills, or the tool it calls. */
export function nodeWords(node: AgentNode): readonly string[] {
  if (node.node_type === "extract") return node.variables_to_extract.map(({ name }) => `⟨${name}⟩`);
  if (node.node_type === "function") return node.tools.slice(0, 1).map(({ name }) => `${name}()`);
  return [];
}

/** Default number of steps from the first node of a cut-out. */
const DEPTH = 2;

/** The part of a graph to draw. */
export interface CutOutOptions {
  /** Draws this node and what it leads to. Default: the whole graph. */
  readonly from?: string;
  /** With `from`: how many transitions away a node may be. Default: 2. */
  readonly depth?: number;
}

/** Rules of these options, for `checkOptions()`. */
const CUT_OUT_OPTIONS = { from: OPTION.text, depth: OPTION.count };

/**
 * The nodes of a cut-out; `undefined` without `from`. Transitions count as steps, entries of global nodes and go-backs do not.
 *
 * @throws {GraphError} `unknown-node`, `invalid-option`.
 */
export function cutOut(graph: AgentGraph, options: CutOutOptions): ReadonlySet<string> | undefined {
  checkOptions(options, CUT_OUT_OPTIONS, GraphError, "Cannot draw a graph");
  const { from, depth = DEPTH } = options;
  if (from === undefined) {
    if (options.depth === undefined) return undefined;
    const hint = "Name the node to begin with: from";
    throw new GraphError("Cannot draw a graph: it has a depth and no first node", { code: "invalid-option", hint });
  }
  if (!own(graph.nodes, from)) {
    throw new GraphError(`Cannot draw a graph: there is no node ${shown(from)}`, {
      code: "unknown-node",
      hint: didYouMean(from, Object.keys(graph.nodes), "Name a node of the graph"),
    });
  }
  const found = new Set([from]);
  let last = [from];
  for (let step = 0; step < depth && last.length > 0; step++) {
    last = last.flatMap((id) => {
      const targets = own(graph.nodes, id)?.transitions.map((edge) => edge.target_node_id) ?? [];
      return targets.filter((target) => own(graph.nodes, target) && !found.has(target) && found.add(target));
    });
  }
  return found;
}

/** The transitions of a node that lead out of the drawn nodes, without those to missing nodes. */
export function leavingOf(
  node: AgentNode,
  graph: AgentGraph,
  drawn: ReadonlySet<string> | undefined,
): ReadonlySet<Transition> {
  const leaves = ({ target_node_id: id }: Transition) => drawn !== undefined && !drawn.has(id) && own(graph.nodes, id);
  return new Set(node.transitions.filter(leaves));
}

/** The label of a stub for transitions out of the drawn nodes: the target of one, or the number of several. */
export function stubWords(leaving: ReadonlySet<Transition>, labelOf: (id: string) => string): string {
  const [first] = leaving;
  return leaving.size === 1 && first ? `→ ${labelOf(first.target_node_id)}` : `→ ${leaving.size} more`;
}

/** The targets behind a stub, without duplicates. */
export function stubTargets(leaving: ReadonlySet<Transition>): readonly string[] {
  return [...new Set([...leaving].map(({ target_node_id: id }) => id))];
}
