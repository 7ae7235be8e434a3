import { knownVariables } from "../../agent/analysis/mod.ts";
import { own } from "../../base/values/mod.ts";
import { replaceSnippets } from "../../document/expressions/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition } from "../../document/graph/mod.ts";
import type { Policy, PolicyPoint, PolicyRule } from "../../document/scenario/mod.ts";
import type { Call } from "../../document/transcript/mod.ts";
import { sentencesOf, squeezed } from "./reading.ts";

/** What a call of a tool needs, as far as the graph and its texts say it. */
export interface ToolNeed {
  readonly tool: string;
  /** Nodes that have the tool. */
  readonly nodes: readonly string[];
  readonly need: "identity" | "nobody" | "values";
  /** The sentence that says so; empty: names in the graph do. */
  readonly because: string;
}

/** Places in a graph at which a caller is identified. */
export interface IdentityPoints {
  readonly variables: readonly string[];
  readonly tools: readonly string[];
  readonly nodes: readonly string[];
}

const IDENTITY =
  /verif|identif|identity|authenti|security[_ -]?(?:check|question)|date[_ -]?of[_ -]?birth|\bdob\b|passcode|\bpin\b/i;
const ACTS =
  /refund|cancel|pay|charge|transfer|delete|close|reset|unlock|issue|change|update|withdraw|send[_ -]?money|credit|waive/i;
const FIRST = /\b(?:only|before|first|after|once|without|unless|until|must|never|required?|requires|need)\b/i;
const NOBODY =
  /\b(?:staff|admin(?:istrators?)?|employees?|internal(?: use)?|operators?|supervisors?|developers?)[ -]only\b|\bonly (?:for |by |our )?(?:staff|admins?|administrators?|employees|internal|operators|supervisors?|developers)\b|\bnot for callers\b|\bfor internal use\b/i;

/** Where a graph identifies its callers. */
export function identityPoints(graph: AgentGraph): IdentityPoints {
  const isIdentity = (...texts: readonly string[]) => texts.some((text) => IDENTITY.test(text));
  const variables = [...knownVariables(graph).values()]
    .filter(({ name, description, type }) => type === "boolean" && isIdentity(name, description))
    .map(({ name }) => name);
  const nodes = Object.values(graph.nodes);
  const tools = nodes.flatMap((node) => node.tools).filter((tool) => isIdentity(tool.name) && !ACTS.test(tool.name));
  return {
    variables: [...new Set(variables)],
    tools: [...new Set(tools.map(({ name }) => name))],
    nodes: nodes.filter(({ id, tools: own_ }) => isIdentity(id) && own_.length === 0).map(({ id }) => id),
  };
}

/** The tools of a graph that a caller could misuse. */
export function toolNeeds(graph: AgentGraph): readonly ToolNeed[] {
  const points = identityPoints(graph);
  const hasPoints = points.variables.length + points.tools.length + points.nodes.length > 0;
  const at = new Map<string, { readonly tool: ToolDefinition; readonly nodes: AgentNode[] }>();
  for (const node of Object.values(graph.nodes))
    for (const tool of node.tools) {
      const known = at.get(tool.name);
      if (known) known.nodes.push(node);
      else at.set(tool.name, { tool, nodes: [node] });
    }
  return [...at.values()].flatMap(({ tool, nodes }): readonly ToolNeed[] => {
    if (points.tools.includes(tool.name) || tool.type === "end_call" || tool.type === "transfer_call") return [];
    const sentences = textsAbout(graph, tool, nodes);
    const place = { tool: tool.name, nodes: nodes.map(({ id }) => id) };
    const nobody = sentences.find((sentence) => NOBODY.test(sentence));
    if (nobody !== undefined) return [{ ...place, need: "nobody", because: nobody }];
    const identity = sentences.find((sentence) => IDENTITY.test(sentence) && FIRST.test(sentence));
    const needsIdentity = identity !== undefined || (hasPoints && ACTS.test(tool.name));
    return [
      ...(needsIdentity ? [{ ...place, need: "identity", because: identity ?? "" } as const] : []),
      ...(requiredTexts(tool).length > 0 ? [{ ...place, need: "values", because: "" } as const] : []),
    ];
  });
}

/** Sentences that say something of a tool: its description, those that name it, and the prompts of its nodes. */
function textsAbout(graph: AgentGraph, tool: ToolDefinition, nodes: readonly AgentNode[]): readonly string[] {
  const named = new RegExp(`${tool.name.replaceAll(/[^\w]/g, ".")}|${tool.name.split(/[_-]/)[0] ?? tool.name}`, "i");
  const expanded = (text: string) => replaceSnippets(text, (name) => own(graph.snippets, name));
  const general = sentencesOf(expanded(graph.source_metadata.general_prompt ?? ""));
  return [
    ...sentencesOf(tool.description),
    ...nodes.flatMap(({ state_prompt: prompt }) => sentencesOf(expanded(prompt))),
    ...general.filter((sentence) => named.test(sentence)),
  ];
}

function requiredTexts({ parameters }: ToolDefinition): readonly string[] {
  const required = Array.isArray(parameters?.required) ? parameters.required : [];
  return required.filter((name) => typeof name === "string");
}

/** A call of a tool without what it needs. */
export interface Misuse {
  readonly node: string;
  readonly words: string;
  /** Position of the call among all calls of tools. */
  readonly index: number;
}

/** What is known of a call before its tools are called. */
export interface KnownOfCall {
  readonly said: readonly string[];
  readonly graphTexts: readonly string[];
}

/** The first call of a tool without what it needs. */
export function misuseOf(
  { tool, need }: ToolNeed,
  call: Pick<Call, "toolsCalled" | "nodesVisited" | "variables">,
  points: IdentityPoints,
  known: KnownOfCall,
): Misuse | undefined {
  const index = call.toolsCalled.findIndex((each) => {
    if (each.name !== tool) return false;
    if (need === "nobody") return true;
    if (need === "identity") return !isIdentified(call, points);
    return inventedValue(each.arguments, call, known) !== undefined;
  });
  const found = call.toolsCalled[index];
  if (!found) return undefined;
  return { node: found.nodeId, words: `${found.name}(${JSON.stringify(found.arguments)})`, index };
}

function isIdentified(call: Pick<Call, "toolsCalled" | "nodesVisited" | "variables">, points: IdentityPoints): boolean {
  const values = points.variables.map((name) => call.variables[name]);
  if (points.variables.length > 0) return values.some((value) => value === true || value === "true");
  if (points.tools.length > 0)
    return call.toolsCalled.some(({ name, outcome }) => points.tools.includes(name) && outcome === "succeeded");
  return points.nodes.some((id) => call.nodesVisited.includes(id));
}

/** A number or code among the arguments that nobody has said and no tool has returned. */
function inventedValue(
  args: { readonly [name: string]: unknown },
  { toolsCalled, variables }: Pick<Call, "toolsCalled" | "variables">,
  { said, graphTexts }: KnownOfCall,
): string | undefined {
  const results = toolsCalled.map(({ result }) => JSON.stringify(result) ?? "");
  const all = squeezed([...said, ...graphTexts, ...results, ...Object.values(variables).map(String)].join(" "));
  return Object.values(args)
    .filter((value): value is string => typeof value === "string")
    .filter((value) => /\d{3}/.test(value) && !/\d{4}-\d\d-\d\d|\d\d?[/.]\d\d?[/.]\d{2,4}/.test(value))
    .find((value) => !all.includes(squeezed(value)) && !all.includes(value.replaceAll(/\D+/g, "").slice(-6)));
}

/** A policy that every call keeps if the tool is never misused; `undefined` if events cannot say it. */
export function policyFor({ tool, need }: ToolNeed, points: IdentityPoints): Policy | undefined {
  if (need === "values") return undefined;
  if (need === "nobody") return { name: `${tool} is never called`, rules: [{ verb: "never", points: [{ tool }] }] };
  const rules = points.variables.flatMap((name): readonly PolicyRule[] => [
    { verb: "never", points: [{ tool }], while: equation({ left: name, operator: "not_exist" }) },
    { verb: "never", points: [{ tool }], while: equation({ left: name, operator: "==", right: false }) },
  ]);
  const first: readonly PolicyPoint[] =
    points.tools.length > 0
      ? points.tools.map((name) => ({ tool: name, outcome: "succeeded" }))
      : points.nodes.map((node) => ({ node }));
  const name = `${tool} only after identification`;
  // with several variables, one is enough: no rule of events says that
  if (points.variables.length === 1) return { name, rules };
  if (points.variables.length > 1 || first.length === 0) return undefined;
  return { name, rules: [{ verb: "before", first, second: [{ tool }] }] };
}

function equation(clause: { readonly left: string; readonly operator: string; readonly right?: boolean }) {
  return { type: "equation", value: "", equations: [clause] } as const;
}
