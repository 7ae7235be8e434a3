import { defined, type JsonObject, Names, own, recordAt, sameJson, slug } from "../../../src/base/values/mod.ts";
import { clausesText } from "../../../src/document/expressions/mod.ts";
import type {
  AgentGraph,
  AgentNode,
  Metadata,
  ToolDefinition,
  Transition,
  TransitionCondition,
} from "../../../src/document/graph/mod.ts";
import { transitionPath } from "../../lower/mod.ts";
import type { Code, CodeRoute } from "./code.ts";
import type { FlowLosses } from "./losses.ts";
import type { FlowBranch, FlowCase, FlowFunction } from "./model.ts";
import { caseWords, conditionOf, OTHERWISE } from "./to_graph.ts";

/** What an import leaves at a part of the graph. */
export function lensOf(metadata: Metadata | null | undefined): JsonObject {
  return recordAt(recordAt(metadata ?? {}, "pipecat"), "lens");
}

/** What the functions of a graph are made with. */
export interface FunctionContext {
  readonly losses: FlowLosses;
  /** Whether functions have descriptions and parameters in the document. If not, they are in code. */
  readonly describes: boolean;
  /** Whether a function chooses its target by its result. */
  readonly branches: boolean;
  readonly names: Names;
  /** Tools by the name of their function: code has one function of each name. */
  readonly tools: Map<string, ToolDefinition>;
  /** The graph before any edits, if it was imported. */
  readonly imported: AgentGraph | undefined;
}

/** Creates the names of functions: those of tools and of imported transitions are taken. */
export function functionNames({ nodes }: AgentGraph): Names {
  const all = Object.values(nodes).flatMap(({ tools, transitions, global_node_setting: setting }) => [
    ...tools.map(({ name }) => name),
    ...[...transitions, ...(setting ? [setting] : [])].map(({ metadata }) => String(lensOf(metadata).function ?? "")),
  ]);
  return new Names(all, { joint: "_" });
}

/** A transition and its place in the node. */
interface Edge {
  readonly index: number;
  readonly transition: Transition;
}

/** A function, with the transitions that it stands for. */
interface Made {
  readonly made: FlowFunction;
  readonly edges: readonly number[];
}

/** Field of a result that a handler of ours sets. */
const FIELD = "branch";
const LONGEST = 64;

/** Writes the tools and transitions of a node as functions. */
export function functionsOf(node: AgentNode, context: FunctionContext): readonly FlowFunction[] {
  const edges = node.transitions.map((transition, index): Edge => ({ transition, index }));
  const work = workOf(node, edges, context);
  const left = edges.filter(({ index }) => !work?.edges.includes(index));
  const taken = new Set<string>();
  const made = node.tools.flatMap((tool, index): Made[] => {
    if (work && node.node_type === "function" && index === 0) return [];
    const mine = attachedTo(tool.name, left, context);
    return [toolFunction(node, index, mine, context)];
  });
  const attached = new Set([...(work?.edges ?? []), ...made.flatMap((each) => each.edges)]);
  const free = edges.filter(({ index }) => !attached.has(index));
  const result: Made[] = [];
  const addFree = (before: number) => {
    while (free[0] && free[0].index < before) {
      const [edge] = free.splice(0, 1);
      if (edge) result.push({ made: edgeFunction(node, edge, context, taken), edges: [edge.index] });
    }
  };
  for (const each of [...(work ? [work] : []), ...made]) {
    addFree(each.edges[0] ?? 0);
    result.push(each);
    taken.add(each.made.name);
  }
  addFree(Number.POSITIVE_INFINITY);
  const order = result.flatMap((each) => each.edges);
  if (!work && order.some((index, at) => index < (order[at - 1] ?? 0))) {
    const message = `The transitions of "${node.id}" follow the order of its tools`;
    context.losses.emulate("order", ["nodes", node.id, "transitions"], message, "the order of the tools");
  }
  return result.map((each) => each.made);
}

/** The function that does the work of a silent node, or evaluates the equations of another node. */
function workOf(node: AgentNode, edges: readonly Edge[], context: FunctionContext): Made | undefined {
  const { node_type: type, id, tools } = node;
  const [tool] = tools;
  const isWork = type === "logic" || type === "extract" || (type === "function" && tool !== undefined);
  const isOnTool = ({ transition: { condition } }: Edge) => type === "function" && condition.type === "tool_call";
  const chosen = edges.filter((edge) => edge.transition.condition.type === "equation" || isOnTool(edge));
  if (!isWork && chosen.length === 0) return undefined;
  const otherwise = isWork ? edges.find(({ transition }) => transition.condition.type === "always") : undefined;
  const mine = [...chosen, ...(otherwise ? [otherwise] : [])];
  const [verb, description] = workWords(node);
  const path = ["nodes", id];
  const name = type === "function" && tool ? toolName(tool, path, context) : newName(`${verb}_${id}`, context);
  const routes = chosen.map(
    ({ transition: { condition } }, index): CodeRoute => ({ value: String(index + 1), condition }),
  );
  const cases = chosen.map(
    ({ transition: { target_node_id: target } }, index): FlowCase => ({ value: String(index + 1), target }),
  );
  const fallback = otherwise?.transition.target_node_id;
  const to = cases.length > 0 ? { field: FIELD, cases, ...defined({ fallback }) } : fallback;
  const message = `Pipecat has no ${isWork ? `${type} nodes` : "equations"}: "${name}" does it in code`;
  const lose = (at: readonly (string | number)[], words: string) =>
    context.describes
      ? context.losses.drop("in-code", at, `${message}, which is not written for older flows${words}`)
      : context.losses.emulate("in-code", at, message, `the function "${name}" of handlers.py`);
  lose(path, "");
  for (const { index, transition } of mine) lose(transitionPath(node, index), `: ${conditionText(transition)}`);
  const code: Code = {
    description,
    ...(type === "function" && tool ? { tool } : {}),
    ...(type === "extract" ? { saves: node.variables_to_extract } : {}),
    ...(routes.length > 0 ? { routes } : {}),
  };
  const saved = type === "extract" ? { parameters: parametersOf(node) } : {};
  const own = context.describes ? { description, ...saved } : {};
  const written = type === "function" && tool ? described(tool, context) : own;
  return {
    made: { name, ...written, ...defined({ to: branchless(to, path, context) }), isOnly: false, code },
    edges: mine.map(({ index }) => index),
  };
}

/** What a function of an older flow takes to store the variables of a node. */
function parametersOf({ variables_to_extract: variables }: AgentNode) {
  const schemas = variables.map(({ name, type, description, choices }) => {
    const of = choices?.length ? { type: "string", enum: choices } : { type };
    return [name, { ...of, description }];
  });
  return { type: "object", properties: Object.fromEntries(schemas) };
}

/** A condition as it stands in the graph, for a message. */
function conditionText({ condition }: Transition): string {
  const { type, value, outcome, logical_operator: joint } = condition;
  return type === "equation" ? `${clausesText(condition)} (${joint ?? "and"})` : `${type} ${value} ${outcome ?? ""}`;
}

/** Name and description of the function that does the work of a node. */
function workWords({ node_type: type, tools, state_prompt: prompt }: AgentNode): readonly [string, string] {
  if (type === "extract") return ["save", `Note what the caller has said. Never make a value up. ${prompt}`.trim()];
  if (type === "function") return ["call", tools[0]?.description ?? ""];
  if (type === "logic") return ["route", "Find out how to go on. Call this right away."];
  return ["route", "Find out how to go on. Call this after each answer of the caller, before you say anything."];
}

/** What a model is told to do at a node that says nothing. */
export function workPrompt({ node_type: type }: AgentNode, name: string): string {
  const given = type === "extract" ? " with what the caller has said" : "";
  return `Call ${name}${given} right away, without saying anything first.`;
}

/** The transitions that a tool of the node leads to: those of an import, or those on its call. */
function attachedTo(name: string, edges: readonly Edge[], { branches }: FunctionContext): readonly Edge[] {
  const all = edges.filter(({ transition: { condition, metadata } }) => {
    if (condition.type === "tool_call") return condition.value === name && condition.outcome == null;
    return condition.type === "llm_prompt" && lensOf(metadata).function === name;
  });
  const [first] = all;
  const field = lensOf(first?.transition.metadata).field;
  if (field === undefined || !branches) return all.slice(0, 1);
  // one field, each value once, and the fallback last
  const kept: Edge[] = [];
  for (const edge of all) {
    const lens = lensOf(edge.transition.metadata);
    const isTwice = kept.some(({ transition }) => sameJson(caseOf(transition), caseOf(edge.transition)));
    if (lens.field === field && !isTwice) kept.push(edge);
  }
  const isFallback = ({ transition }: Edge) => lensOf(transition.metadata).value === undefined;
  return [...kept.filter((edge) => !isFallback(edge)), ...kept.filter(isFallback)];
}

const caseOf = ({ metadata }: Transition) => [lensOf(metadata).value, lensOf(metadata).operator];

function toolFunction(node: AgentNode, index: number, edges: readonly Edge[], context: FunctionContext): Made {
  const tool = node.tools[index];
  if (!tool) throw new TypeError("unreachable: the tool has this index");
  const path = ["nodes", node.id, "tools", index];
  const name = toolName(tool, path, context);
  const { losses, describes } = context;
  const [first] = edges;
  const { field } = lensOf(first?.transition.metadata);
  const written = described(tool, context);
  // a decision of the visual editor may have only a default
  const isBranch =
    (describes && context.branches) || edges.some(({ transition }) => lensOf(transition.metadata).value !== undefined);
  const to =
    typeof field === "string" && isBranch ? branchOf(field, tool.name, edges) : first?.transition.target_node_id;
  if (!describes && isReordered(node, edges, context)) {
    const message = `The cases of "${name}" are a map, and keep their order`;
    losses.emulate("order", [...path.slice(0, 2), "transitions"], message, "the order of the imported document");
  }
  let { description } = written;
  for (const { transition, index: at } of edges) {
    const where = transitionPath(node, at);
    const { condition } = transition;
    if (condition.type !== "llm_prompt") {
      const moves = `The call of "${name}" moves the flow`;
      if (written.description !== undefined)
        losses.emulate("tool-outcome", where, moves, "a condition in words, when it is read again");
      continue;
    }
    if (typeof field === "string" && !isBranch)
      losses.emulate(
        "condition",
        where,
        `The function "${name}" leads to one node, whatever its result`,
        "its description",
      );
    const words = descriptionIn(transition, tool);
    if (words === undefined || words === tool.description) continue;
    if (describes && isUnedited(node, tool, context)) description = words;
    else
      losses.drop(
        "condition",
        where,
        `The words of a condition on the function "${name}" are in its description: "${condition.value}"`,
      );
  }
  const made: FlowFunction = {
    name,
    ...written,
    ...defined({ description }),
    ...defined({ to: branchless(to, path, context) }),
    isOnly: false,
    code: { description: tool.description, tool, ...defined({ note: textOr(lensOf(tool.metadata).action) }) },
  };
  return { made, edges: edges.map((edge) => edge.index) };
}

const textOr = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Whether a tool has the description that it was imported with. */
function isUnedited({ id }: AgentNode, { name, description }: ToolDefinition, { imported }: FunctionContext): boolean {
  const before = own(imported?.nodes ?? {}, id)?.tools.find((tool) => tool.name === name);
  return before === undefined || before.description === description;
}

/** The description that the condition of a function stands for; `undefined` where it says what the function says. */
function descriptionIn({ condition, metadata }: Transition, { name, description }: ToolDefinition): string | undefined {
  const { field, value, operator } = lensOf(metadata);
  const given = condition.value;
  if (typeof field === "string" && value !== undefined)
    return given.startsWith(caseWords(name, field, textOr(operator))) ? undefined : given;
  const usual = conditionOf({ name, description, isOnly: false });
  const words = typeof field === "string" && given.endsWith(OTHERWISE) ? given.slice(0, -OTHERWISE.length) : given;
  return words === usual || words === conditionOf({ name, isOnly: false }) ? undefined : words;
}

/** Whether the cases of an imported function have another order, which a map of them does not keep. */
function isReordered({ id }: AgentNode, edges: readonly Edge[], { imported }: FunctionContext): boolean {
  const keyOf = ({ metadata }: Transition) => JSON.stringify([lensOf(metadata).function, lensOf(metadata).value]);
  const before = (own(imported?.nodes ?? {}, id)?.transitions ?? []).map(keyOf);
  const places = edges.map(({ transition }) => before.indexOf(keyOf(transition))).filter((at) => at >= 0);
  return places.some((at, index) => at < (places[index - 1] ?? 0));
}

function branchOf(field: string, name: string, edges: readonly Edge[]): FlowBranch {
  const cases = edges.flatMap(
    ({ transition: { metadata, target_node_id: target, condition } }): readonly FlowCase[] => {
      const { value, operator } = lensOf(metadata);
      if (typeof value !== "string") return [];
      // the value may have been edited in the condition
      const before = caseWords(name, field, textOr(operator));
      const now = condition.value.startsWith(before) ? condition.value.slice(before.length) : value;
      return [{ value: now, target, ...defined({ operator: textOr(operator) }) }];
    },
  );
  const last = edges.find(({ transition }) => lensOf(transition.metadata).value === undefined);
  return { field, cases, ...defined({ fallback: last?.transition.target_node_id }) };
}

/** Reduces a branch to one target for a generation without branches. */
function branchless(to: FlowFunction["to"], path: readonly (string | number)[], { branches, losses }: FunctionContext) {
  if (branches || to === undefined || typeof to === "string") return to;
  const target = to.fallback ?? to.cases[0]?.target;
  losses.drop(
    "branch",
    path,
    `A function leads to one node, and its transitions to others are left out: "${target}" stays`,
  );
  return target;
}

/** Description and parameters of a tool, where the document has them. */
function described(
  tool: ToolDefinition,
  { describes }: FunctionContext,
): Pick<FlowFunction, "description" | "parameters"> {
  const { description, parameters } = tool;
  return describes
    ? { ...defined({ description: description || undefined, parameters: parameters ?? undefined }) }
    : {};
}

function toolName(tool: ToolDefinition, path: readonly (string | number)[], context: FunctionContext): string {
  const { tools, describes, losses } = context;
  const known = tools.get(tool.name);
  const isSame = !known || sameJson(definition(known), definition(tool));
  if (describes || isSame) {
    tools.set(tool.name, tool);
    return tool.name;
  }
  const name = newName(tool.name, context);
  tools.set(name, tool);
  losses.emulate(
    "tool-renamed",
    path,
    `Another node has another tool "${tool.name}", and code has one of a name`,
    `"${name}"`,
  );
  return name;
}

const definition = ({ description, parameters, url, response_variables: filled }: ToolDefinition) => [
  ...[description, parameters ?? null, url ?? null, filled ?? null],
];

/** A function that only moves the call. */
function edgeFunction(
  node: AgentNode,
  { transition, index }: Edge,
  context: FunctionContext,
  taken: Set<string>,
): FlowFunction {
  const path = transitionPath(node, index);
  const kept = textOr(lensOf(transition.metadata).function);
  const isTool = node.tools.some(({ name }) => name === kept);
  const isKept = kept !== undefined && !taken.has(kept) && !isTool;
  // a second function of one name keeps it as far as it can, also when its target is renamed
  const wanted = kept === undefined || isTool ? `to_${transition.target_node_id}` : kept;
  const name = isKept ? kept : newName(wanted, context);
  taken.add(name);
  const before = own(context.imported?.nodes ?? {}, node.id);
  if (isKept && before?.tools.some((tool) => tool.name === kept))
    context.losses.emulate(
      "tool-kept",
      path,
      `The transition is one of the function "${kept}", which stays a tool`,
      "the function",
    );
  const description = wordsOf(transition, path, context.losses);
  return { name, description, to: transition.target_node_id, isOnly: true };
}

/** Creates the name of a new function. */
export function newName(wanted: string, { names }: Pick<FunctionContext, "names">): string {
  return names.take(slug(wanted) || "go_on", LONGEST);
}

/** What a model is told of a transition. */
function wordsOf({ condition, timing }: Transition, path: readonly (string | number)[], losses: FlowLosses): string {
  const { type, value } = condition;
  const emulated = (code: string, state: string, words: string) => {
    losses.emulate(code, path, state, `a function that the model calls: "${words}"`);
    return words;
  };
  if (type === "always") {
    const at = timing ?? "after_speech";
    const words = {
      else: "None of the other functions fits",
      skip_response: "You have said what this step asks for; do not wait for an answer",
      after_speech: "You have said what this step asks for, and the caller has answered",
    }[at];
    return emulated("always", `Pipecat has no transition that is always taken (timing ${at})`, words);
  }
  if (type === "tool_call") return emulated("tool-outcome", "Pipecat moves by one function", outcomeWords(condition));
  if (value.trim() !== "") return value;
  return emulated("empty-condition", "A function needs a description", "This step is done");
}

function outcomeWords({ value, outcome }: TransitionCondition): string {
  return `${value === "" ? "The tool" : `"${value}"`} ${outcome ?? "was called"}`;
}
