import type { Issue, Path } from "../../src/base/errors.ts";
import {
  groupOf,
  isRecord,
  OPTION,
  type OptionRules,
  oneOf,
  optionIssues,
  recordOf,
  repeated,
  rule,
  shown,
} from "../../src/base/values/mod.ts";
import { DOCUMENT_OPTION } from "../document_fields.ts";
import { type Edge, to } from "../edges.ts";
import type { DefinedNode, LooseOptions } from "../nodes.ts";
import type { AnyTool } from "../tools.ts";
import { PLATFORM_OPTIONS, VOICE_RULES } from "../typed_fields.ts";
import { type FlowHead, variableIssues } from "./variable_issues.ts";

const HEAD = {
  name: OPTION.text,
  prompt: OPTION.text,
  beginMessage: OPTION.text,
  startSpeaker: oneOf("agent", "user"),
  start: OPTION.text,
  model: OPTION.text,
  language: rule(
    'a language such as "en-US", or "multi"',
    (value) => typeof value === "string" && /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(value),
  ),
  voice: groupOf(VOICE_RULES),
  variables: OPTION.object,
  snippets: recordOf(OPTION.text, "an object with a text per name"),
  tools: OPTION.list,
  ...DOCUMENT_OPTION,
  ...PLATFORM_OPTIONS,
} satisfies { readonly [Name in keyof Required<FlowHead>]: OptionRules[string] };

const GO_BACK = rule(
  "a condition, a list of conditions, or a function that returns one",
  (value) => typeof value === "string" || typeof value === "function" || Array.isArray(value),
);

const NODE = {
  prompt: OPTION.text,
  text: OPTION.text,
  tool: OPTION.text,
  tools: OPTION.texts,
  fills: OPTION.texts,
  when: OPTION.text,
  goBack: GO_BACK,
  to: rule(
    'a number such as "+14155550100", a SIP URI or a "{{variable}}"',
    (value) => typeof value === "string" && /^(?:\+[1-9]\d{6,14}|sips?:[^\s@]*@?[^\s@]+|\{\{[^{}]+\}\})$/i.test(value),
  ),
  global: groupOf({ when: OPTION.text, goBack: GO_BACK }),
  next: rule("a function that returns a list of transitions", OPTION.function.accepts),
  ...DOCUMENT_OPTION,
  ...PLATFORM_OPTIONS,
} satisfies { readonly [Name in keyof Required<LooseOptions>]: OptionRules[string] };

/** A flow with only the parts that can be compiled. */
export interface CheckedFlow {
  readonly head: FlowHead;
  readonly nodes: readonly DefinedNode[];
  /** Problems of the parts that were removed. */
  readonly issues: readonly Issue[];
}

/**
 * Validates names, texts, lists and transitions at run time. Wrong parts are removed, so that the rest can be compiled
 * and all problems are reported together.
 */
export function checkedFlow(head: FlowHead, nodes: readonly DefinedNode[]): CheckedFlow {
  const name = typeof head.name === "string" ? head.name : shown(head.name);
  const ofHead = optionIssues(head, HEAD, [name], true);
  const issues: Issue[] = [...nameIssues(head.name, "flow", [name]), ...ofHead];
  const valid = without(head, ofHead, 1);
  const variables = Object.entries(valid.variables ?? {}).filter(([key, variable]) => {
    const wrong = [...nameIssues(key, "variable", [name, "variables"]), ...variableIssues(name, key, variable)];
    issues.push(...wrong);
    return wrong.length === 0;
  });
  const tools = (valid.tools ?? []).filter((tool, index) => {
    if (isTool(tool)) return true;
    issues.push({
      code: "wrong-type",
      path: [name, "tools", index],
      message: `tool ${index} is ${shown(tool)}`,
      hint: "Make it with tool({ name, description, … })",
    });
    return false;
  });
  const checkedNodes = nodes.map((node, index) => {
    const read = checkedNode(node, index, name);
    issues.push(...read.issues);
    return read.node;
  });
  return { head: { ...valid, name, variables: Object.fromEntries(variables), tools }, nodes: checkedNodes, issues };
}

function checkedNode(
  { id: givenId, kind, options: given = {}, edges: givenEdges }: DefinedNode,
  index: number,
  flow: string,
): { readonly node: DefinedNode; readonly issues: readonly Issue[] } {
  const id = typeof givenId === "string" ? givenId : shown(givenId);
  const at = [flow, id];
  const ofOptions = optionIssues(given, NODE, at, true);
  const issues: Issue[] = [...nameIssues(givenId, `node ${index}`, at), ...ofOptions];
  const options: LooseOptions = isRecord(given) ? without<LooseOptions>(given, ofOptions, at.length) : {};
  const entry = kind === "global" ? options : options.global;
  if (entry && entry.when === undefined && !ofOptions.some(({ path }) => path.at(-1) === "when")) {
    const path = kind === "global" ? [...at, "when"] : [...at, "global", "when"];
    const hint = 'Say when it is entered: when: "Caller asks for a manager"';
    issues.push({ code: "invalid-option", path, message: `global node "${id}" has no condition`, hint });
  }
  for (const name of repeated(options.fills ?? [])) {
    const message = `node "${id}" fills "${name}" twice`;
    issues.push({ code: "duplicate-variable", path: [...at, "fills"], message, hint: "Name it once" });
  }
  for (const name of repeated([...(options.tool === undefined ? [] : [options.tool]), ...(options.tools ?? [])])) {
    const message = `node "${id}" has tool "${name}" twice`;
    issues.push({ code: "duplicate-tool", path: [...at, "tools"], message, hint: "Name it once" });
  }
  const edges = edgesOf(givenEdges, id, at, issues);
  return { node: { id, kind, options, edges }, issues };
}

function edgesOf(given: unknown, id: string, at: Path, issues: Issue[]): readonly Edge<string>[] {
  if (!Array.isArray(given)) {
    const message = `"next" of node "${id}" gives ${shown(given)}`;
    const hint = 'Return a list of transitions: next: ({ to }) => [to("…")]';
    issues.push({ code: "wrong-type", path: [...at, "next"], message, hint });
    return [];
  }
  return given.map((edge: unknown, index) => {
    const path = [...at, "transitions", index];
    const place = `transition ${index} of "${id}"`;
    if (!isEdge(edge)) {
      const message = `${place} is ${shown(edge)}`;
      issues.push({ code: "wrong-type", path, message, hint: 'Make it with to("…")' });
      return to(id); // keeps the indexes of later transitions
    }
    for (const issue of edge.issues ?? [])
      issues.push({ ...issue, path: [...path, ...issue.path], message: `${place}: ${issue.message}` });
    if (typeof edge.target === "string") return edge;
    const message = edge.target === undefined ? `${place} has no target` : `${place} goes to ${shown(edge.target)}`;
    issues.push({ code: "unknown-node", path, message, hint: 'Name a node: to("…")' });
    return to(id);
  });
}

function nameIssues(name: unknown, what: string, path: Path): readonly Issue[] {
  if (typeof name !== "string") {
    const state = name === undefined ? "has no name" : `has the name ${shown(name)}`;
    return [{ code: "wrong-type", path, message: `${what} ${state}`, hint: "Name it with a text" }];
  }
  if (name.trim() !== "") return [];
  return [{ code: "empty-name", path, message: `${what} has an empty name`, hint: "Give it a name" }];
}

function isEdge(value: unknown): value is Edge<string> {
  return isRecord(value) && "target" in value && isRecord(value.transition) && isRecord(value.transition.condition);
}

function isTool(value: unknown): value is AnyTool {
  return (
    isRecord(value) && typeof value.name === "string" && isRecord(value.definition) && isRecord(value.responseVariables)
  );
}

/** Returns the options without those that have issues; `depth` is the position of option names in issue paths. */
function without<Options extends object>(options: Options, issues: readonly Issue[], depth: number): Options {
  if (issues.length === 0) return options;
  const wrong = new Set(issues.map(({ path }) => path[depth]));
  const kept = Object.entries(options).filter(([name]) => !wrong.has(name));
  return Object.fromEntries(kept) as Options; // all options are optional
}
