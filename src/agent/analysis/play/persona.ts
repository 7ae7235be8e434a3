import { isRecord, type JsonObject, own } from "../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  foldedTarget,
  waysAfterHearing,
  waysBack,
} from "../../../document/graph/mod.ts";
import type { CallPath, PathStep } from "../paths/mod.ts";
import { callerWords } from "./caller_words.ts";

/** The caller's part between two replies of the agent. */
export interface CallerMoment {
  /** The instruction of the node where the agent listens. */
  readonly agentIsTold: string;
  /** Conditions that the caller's words meet, in the order in which they are decided. */
  readonly conditions: readonly string[];
  /** Conditions that the caller's words do not meet. */
  readonly others: readonly string[];
  /** Values that the caller's words give for variables; `null`: none. */
  readonly facts: readonly KnownVariable[];
}

/** A variable of a call that the caller knows about. */
export interface KnownVariable {
  readonly name: string;
  /** What the variable holds, in the words of the graph. */
  readonly meaning: string;
  /** `null`: the caller does not know it. */
  readonly value: string | null;
}

/** A simulated caller that a path needs. */
export interface CallerFacts {
  /** Whom they call. */
  readonly agent: string;
  /** Variables that the call is given. */
  readonly given: readonly KnownVariable[];
  /** One for each time that the caller speaks. */
  readonly moments: readonly CallerMoment[];
  /** Whether the agent ends the call. */
  readonly agentEnds: boolean;
}

/** Writes a persona by rules: what the caller knows, and what they do in which order. */
export function writePersona({ agent, given, moments, agentEnds }: CallerFacts): string {
  const told = [...factsByName(moments.flatMap(({ facts }) => facts)).values()];
  const steps = moments.map(stepOf).flatMap((step, index, all) => (step === all[index - 1] ? [] : [step]));
  return [
    `You call ${agent}.`,
    ...given.filter((fact) => !isFlag(fact)).map((fact) => `${sentenceStart(nameOf(fact))} is ${textOf(fact)}.`),
    ...flagsText(given.filter(isFlag)),
    ...told.map(factText),
    ...steps.map((step, index) => `${index === 0 ? "First" : "Then"} ${step}.`),
    agentEnds ? "" : "After that, say goodbye and hang up.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The words of the caller at a moment, for a caller without a model. */
export function lineAt({ conditions, facts }: CallerMoment): string {
  const said = conditions.map((condition) => callerWords(condition).line);
  const told = facts.flatMap((fact) =>
    fact.value === null ? [] : [`My ${spokenName(fact.name)} is ${fact.value.trim() || "blank"}.`],
  );
  return [...said, ...told].join(" ") || "Please go on.";
}

function stepOf(moment: CallerMoment): string {
  const { conditions, others } = moment;
  const done = conditions.map((condition) => callerWords(condition).you);
  const told = toldAt(moment);
  const parts = told === "" ? done : [...done, `you say ${told}`];
  if (parts.length > 0) return parts.join(", and ");
  if (others.length > 0)
    return `you say something else: it is not so that ${others.map((other) => callerWords(other).you).join(", or that ")}`;
  return "you answer what the agent says";
}

/** Whether a value says yes or no to something that the agent knows, and that nobody would say. */
function isFlag({ value }: KnownVariable): boolean {
  return value !== null && /^(?:true|false|yes|no)$/i.test(value.trim());
}

function flagsText(facts: readonly KnownVariable[]): readonly string[] {
  if (facts.length === 0) return [];
  return [
    `The agent knows this about you: ${facts.map((fact) => `${spokenName(fact.name)} is ${textOf(fact)}`).join(", ")}.`,
  ];
}

function textOf({ value }: KnownVariable): string {
  return valueText(value ?? "");
}

/** `your topic, but not your order number`. */
function toldAt({ facts }: CallerMoment): string {
  const named = (isTold: boolean) => {
    const names = facts
      .filter(({ value }) => (value !== null) === isTold)
      .map(({ name }) => `your ${spokenName(name)}`);
    return [...new Set(names)].join(isTold ? " and " : " or ");
  };
  const [told, untold] = [named(true), named(false)];
  if (told === "") return untold === "" ? "" : `nothing about ${untold}`;
  return untold === "" ? told : `${told}, but not ${untold}`;
}

/** The values of each variable, in order; a value is listed again after another one. */
function factsByName(facts: readonly KnownVariable[]): ReadonlyMap<string, readonly KnownVariable[]> {
  const byName = new Map<string, KnownVariable[]>();
  for (const fact of facts) {
    const known = byName.get(fact.name) ?? [];
    if (known.at(-1)?.value !== fact.value) byName.set(fact.name, [...known, fact]);
  }
  return byName;
}

function factText(facts: readonly KnownVariable[]): string {
  const [fact] = facts;
  if (!fact) return "";
  const name = nameOf(fact);
  if (facts.length === 1) {
    if (fact.value === null) return `You do not know ${name}: say so if you are asked for it.`;
    return `${sentenceStart(name)} is ${valueText(fact.value)}: say so if you are asked for it.`;
  }
  const values = facts.flatMap(({ value }) => (value === null ? [] : [valueText(value)]));
  if (new Set(values).size === 1) return `${sentenceStart(name)} is ${values[0]}: say so when it is time.`;
  return `${sentenceStart(name)} is first ${values.join(", then ")}: say so each time you are asked for it.`;
}

/** `your order number (Number of the order)`. */
function nameOf({ name, meaning }: KnownVariable): string {
  const words = spokenName(name);
  const text = meaning.replace(/\s+/g, " ").trim();
  return text === "" || text.toLowerCase() === words.toLowerCase() ? `your ${words}` : `your ${words} (${text})`;
}

function spokenName(name: string): string {
  return name.replace(/[_\s]+/g, " ").trim() || name;
}

function valueText(value: string): string {
  return /^-?\d+(?:\.\d+)?$/.test(value) ? value : quote(value);
}

function quote(text: string): string {
  return `"${text.replace(/\s+/g, " ").trim()}"`;
}

function sentenceStart(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/**
 * The conditions that a model sees for a target at a node: the node's own, or that of a global node, or those of going
 * back.
 */
export function conditionsTo(graph: AgentGraph, node: AgentNode, target: string): readonly string[] {
  const mine = ownConditions(node, target);
  if (mine.length > 0) return mine;
  const entry = own(graph.nodes, target)?.global_node_setting?.condition;
  if (entry !== undefined && target !== node.id) return [entry];
  return waysBack(node).offered.map(({ condition }) => condition.value);
}

/** The conditions of a node's own transitions that a model is asked about; only those to `target`, if it is given. */
export function ownConditions(node: AgentNode, target?: string): readonly string[] {
  return waysAfterHearing(node)
    .offered.filter(({ target_node_id: id }) => target === undefined || id === target)
    .map(({ condition }) => condition.value);
}

/** Answers of a model that follows a path, by signature: the queues of `scripted()`. */
export interface PathAnswers {
  readonly transition: readonly unknown[];
  readonly extract: readonly unknown[];
  readonly arguments: readonly unknown[];
  readonly respond: readonly unknown[];
  readonly caller: readonly unknown[];
}

/** Maximum number of answers that the rest of a call can need after the path: those of one turn. */
const REST = 40;

/**
 * The answers with which a call takes a path. After the path the model picks no transition and finds no values.
 *
 * @param lines What the caller says, one line for each time that the path hears the caller.
 */
export function pathAnswers(graph: AgentGraph, { steps }: CallPath, lines: readonly string[]): PathAnswers {
  const nobody = nobodysName(graph);
  const last = lines.length - 1;
  const staying = { objectives_complete: false, transition_to: nobody };
  return {
    transition: [
      ...steps.flatMap((step) =>
        step.kind === "decide"
          ? [{ objectives_complete: step.objectivesComplete, transition_to: step.target ?? nobody }]
          : [],
      ),
      ...rest(staying),
    ],
    extract: [...steps.flatMap((step) => (step.kind === "extract" ? [step.values] : [])), ...rest(nothingFound)],
    arguments: [
      ...steps.flatMap((step) => (step.kind === "tool" && step.asksArguments ? [knownArguments] : [])),
      ...rest(knownArguments),
    ],
    respond: [...replies(steps), ...rest("…")],
    caller:
      lines.length === 0
        ? [{ message: "Goodbye.", should_end: true }]
        : lines.map((message, index) => ({ message, should_end: index === last })),
  };
}

/** One reply for each time that the model speaks; before it, the tools that the reply calls. */
function replies(steps: readonly PathStep[]): readonly unknown[] {
  const answers: unknown[] = [];
  let toolCalls: { readonly name: string; readonly arguments: JsonObject }[] = [];
  for (const step of steps) {
    if (step.kind === "tool" && step.by === "reply") toolCalls.push({ name: step.tool, arguments: {} });
    if (step.kind !== "speak" || step.verbatim) continue;
    if (toolCalls.length > 0) answers.push({ toolCalls });
    answers.push("…");
    toolCalls = [];
  }
  return answers;
}

function rest(answer: unknown): readonly unknown[] {
  return Array.from({ length: REST }, () => answer);
}

/** An answer to an extraction that finds nothing. */
function nothingFound(input: JsonObject): JsonObject {
  const variables = Array.isArray(input.variables) ? input.variables.filter(isRecord) : [];
  return Object.fromEntries(variables.map(({ name }) => [String(name), null]));
}

/** Arguments of a tool: the variables of the call that have the names of its parameters. */
function knownArguments({ tool, variables }: JsonObject): JsonObject {
  const parameters = isRecord(tool) && isRecord(tool.parameters) ? tool.parameters : {};
  const names = Object.keys(isRecord(parameters.properties) ? parameters.properties : {});
  const known = new Map(Object.entries(isRecord(variables) ? variables : {}));
  return Object.fromEntries(names.flatMap((name) => (known.has(name) ? [[name, known.get(name)]] : [])));
}

/** The answer of a model that picks no transition: "none", unless a node has that name. */
function nobodysName({ nodes }: AgentGraph): string {
  const names = new Set(Object.keys(nodes).map(foldedTarget));
  let name = "none";
  while (names.has(name)) name = `not ${name}`;
  return name;
}
