import { knownVariables } from "../../../agent/analysis/mod.ts";
import { isCallweaveError, ScenarioError } from "../../../base/errors.ts";
import {
  checkOptions,
  defined,
  isRecord,
  type JsonObject,
  OPTION,
  own,
  quotedList,
  rule,
} from "../../../base/values/mod.ts";
import { statedFacts } from "../../../call/judges/mod.ts";
import {
  callModel,
  type EntityKind,
  findEntity,
  type ModelReference,
  type RequestOptions,
  resolveModel,
  type ScenarioCallOutput,
  scenarioSignature,
} from "../../../call/models/mod.ts";
import { isPlatformVariable, textOf } from "../../../document/expressions/mod.ts";
import { type AgentGraph, toGraph } from "../../../document/graph/mod.ts";
import {
  callerLinesOf,
  callerTurns,
  completeScenario,
  recordedTurns,
  type Scenario,
} from "../../../document/scenario/mod.ts";
import type { Call, EndReason } from "../../../document/transcript/mod.ts";
import { type CallerLine, callerLines, goalLine, isCourtesy } from "../caller_lines.ts";
import { checkFinishedCall } from "../finished_call.ts";
import { recordedToolUse } from "./tool_mocks.ts";

const RULES = {
  graph: rule("a graph", (value) => isRecord(value) && isRecord(value.nodes)),
  script: OPTION.switch,
  name: OPTION.text,
  model: rule("a model", (value) => value !== null),
  requests: rule("an object", isRecord),
  signal: rule("an AbortSignal", (value) => value instanceof AbortSignal),
};

const ACTION = "Cannot write a scenario from a call";

/** Endings that say nothing about the agent: they are not expected. */
const NO_EXPECTATION: readonly (EndReason | undefined)[] = [
  undefined,
  "aborted",
  "failed",
  "budget_exceeded",
  "turn_timeout",
];
/** Endings that a good agent does not cause. */
const FAULTS: readonly (EndReason | undefined)[] = ["hop_limit", "dead_air"];
const LONGEST_NAME = 60;
/** Default limit of turns in a scenario. */
const DEFAULT_TURNS = 20;
/** Turns that a persona may take beyond those of the recorded call. */
const MORE_TURNS = 5;

/**
 * Writes a scenario from a call that happened or was simulated, for a person to edit: a persona from what the caller
 * said, or the recorded lines; start variables; mocks that answer as the tools did; and the call's path, ending, extracted
 * values and tool calls as expectations.
 *
 * With `script`, the scenario passes on an unchanged graph with a model that decides as in the call. A persona
 * gives its answers in other words, so its path may differ.
 *
 * @throws {GraphError} `not-a-graph`.
 * @throws {ScenarioError} `invalid-option`; `invalid-scenario` for a call in which the caller said nothing.
 * @throws {ModelError} `unknown-model`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 * @example
 * ```ts
 * import { flow, offline, run, scenario } from "callweave";
 * import { scenarioFromCall } from "callweave/calls";
 *
 * const hello = flow("hello")
 *   .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller says goodbye")] })
 *   .end("bye", { prompt: "Say goodbye." })
 *   .compile();
 * const leaves = scenario("leaves", hello).says("Goodbye!").ends("agent_ended");
 * const options = { models: { agent: offline() }, store: false } as const;
 * const [result] = (await run(hello, [leaves], options)).results;
 * if (result) {
 *   const { scenario: again } = await scenarioFromCall(result, { graph: hello, script: true });
 *   console.log(again.says, again.visits); // [ "Goodbye!" ] [ "greet", "bye" ]
 * }
 * ```
 */
export async function scenarioFromCall(call: Call, options: ScenarioFromCallOptions = {}): Promise<ScenarioFromCall> {
  checkOptions(options, RULES, ScenarioError, ACTION);
  checkFinishedCall(call, ACTION);
  const { script = false, model } = options;
  const graph = options.graph && toGraph(options.graph, ACTION);
  const lines = callerLines(call.transcript);
  const goal = goalLine(lines);
  if (goal === undefined) throw silentCaller();
  const extracts = extractedValues(call, graph);
  const facts = callFacts(extracts, lines);
  const agent = graph?.source_metadata.name || undefined; // that of a flow in code may be the name of a file
  const told = [agent ?? "a voice agent", graph?.source_metadata.general_prompt?.trim()].filter(Boolean).join(": ");
  const written =
    script || model === undefined
      ? undefined
      : await personaByModel(call, { agent: told, facts }, { ...options, model });
  const says = recordedSteps(call) ?? lines.map(({ said }) => said);
  const tools = recordedToolUse(call, graph);
  const visits = call.nodesVisited.filter((id) => graph === undefined || Object.hasOwn(graph.nodes, id));
  const ends = expectedEnd(call.endReason, script && !hangsUp(says));
  const expects = visits.length > 0 || ends !== undefined || Object.keys(extracts).length > 0 || tools.calls.length > 0;
  const scenario = completeScenario({
    name: options.name ?? written?.name.trim() ?? shortened(goal),
    ...(script ? { says } : { user_prompt: written?.persona.trim() ?? personaByRules(lines, facts, agent) }),
    dynamic_variables: givenVariables(call, graph),
    tool_mocks: tools.mocks,
    visits,
    ...(ends ? { ends } : {}),
    extracts: Object.fromEntries(Object.entries(extracts).map(([name, value]) => [name, value])),
    calls: tools.calls,
    ...(expects ? {} : { metrics: [`The agent does what the caller called for: ${JSON.stringify(shortened(goal))}`] }),
    ...turnsOf(call.endReason, callerTurns(says).length, script),
  });
  return {
    scenario,
    facts,
    personaBy: script ? null : written ? "model" : "rules",
    notes: notesOn(call, scenario, {
      unknownTools: tools.unknown,
      isRefused: model !== undefined && !script && !written,
    }),
  };
}

/** The caller's lines with its steps, if it did more than say words. */
function recordedSteps({ transcript }: Call): Scenario["says"] | undefined {
  const steps = callerLinesOf(recordedTurns(transcript));
  return steps.every((line) => typeof line === "string") ? undefined : steps;
}

/** Whether the last step is a hang-up, with which a script ends like the call. */
function hangsUp(says: Scenario["says"]): boolean {
  const last = says.at(-1);
  return typeof last === "object" && "hangs_up" in last;
}

/** The ending to expect. A script stops after its last line; a persona may say more than in the recorded call. */
function expectedEnd(end: EndReason | undefined, script: boolean): EndReason | undefined {
  if (end === null || NO_EXPECTATION.includes(end)) return undefined;
  if (script) return end === "caller_ended" ? "caller_exhausted" : end;
  return end === "caller_exhausted" || end === "max_turns" ? undefined : end;
}

function turnsOf(end: EndReason | undefined, lines: number, script: boolean): Pick<Scenario, "max_turns"> {
  if (!script) return lines + MORE_TURNS > DEFAULT_TURNS ? { max_turns: lines + MORE_TURNS } : {};
  if (end === "max_turns") return { max_turns: lines };
  return lines >= DEFAULT_TURNS ? { max_turns: lines + 1 } : {};
}

/** The call's start values, without the graph's defaults and the variables that the runner sets in every call. */
function givenVariables(call: Call, graph: AgentGraph | undefined): JsonObject {
  const { startVariables: start = call.provenance?.facts?.start_variables ?? {} } = call;
  if (!isRecord(start)) return {};
  const defaults = graph?.source_metadata.default_dynamic_variables ?? {};
  const known = graph && knownVariables(graph);
  return Object.fromEntries(
    Object.entries(start).flatMap(([name, value]) => {
      const text = textOf(value);
      const isGiven = !isPlatformVariable(name) || known?.has(name) || Object.hasOwn(defaults, name);
      return text === undefined || !isGiven || textOf(own(defaults, name)) === text ? [] : [[name, text] as const];
    }),
  );
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const characters = [...line.replace(/[.!?,;:]+$/, "")];
  if (characters.length <= LONGEST_NAME) return characters.join("");
  const cut = characters.slice(0, LONGEST_NAME).join("");
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LONGEST_NAME / 2)).trimEnd()}…`;
}

function notesOn(
  { endReason, nodesVisited }: Call,
  { visits, dynamic_variables: given }: Scenario,
  { unknownTools, isRefused }: { readonly unknownTools: readonly string[]; readonly isRefused: boolean },
): readonly string[] {
  const missing = [...new Set(nodesVisited.filter((id) => !visits.includes(id)))];
  return [
    ...(isRefused ? ["The model left facts out of the persona, so rules wrote it."] : []),
    ...(visits.length === 0 ? ["The call's path is not known: add .visits(…) with the nodes that it must reach."] : []),
    ...(visits.length > 0 && missing.length > 0 ? [`The graph has no node ${quotedList(missing)}.`] : []),
    ...unknownTools.map((name) => `The graph has no tool "${name}": its calls were left out.`),
    ...(FAULTS.includes(endReason) ? [`The call ended with ${endReason}: expect the end that is right instead.`] : []),
    ...(endReason !== undefined && NO_EXPECTATION.includes(endReason)
      ? [`The call ended with ${endReason}, which says nothing about the agent: add the end that is right.`]
      : []),
    ...(Object.keys(given).length > 0
      ? ["The variables are those of this call: check that they are still right."]
      : []),
  ];
}

function silentCaller(): ScenarioError {
  return new ScenarioError(`${ACTION}: the caller said nothing`, {
    code: "invalid-scenario",
    path: ["transcript"],
    hint: "Choose a call with words of the caller",
  });
}

/**
 * Has a model write the persona and the name of a scenario.
 *
 * @returns `undefined` when no answer of the model states all facts.
 * @throws {ModelError} `unknown-model`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 */
async function personaByModel(
  { transcript }: Call,
  { agent, facts }: { readonly agent: string; readonly facts: readonly CallFact[] },
  {
    model,
    requests,
    signal,
  }: Pick<ScenarioFromCallOptions, "requests" | "signal"> & {
    readonly model: NonNullable<ScenarioFromCallOptions["model"]>;
  },
): Promise<ScenarioCallOutput | undefined> {
  const conversation_history = transcript.flatMap(({ role, content }) =>
    role === "user" || role === "assistant" ? [{ role, content }] : [],
  );
  try {
    return await callModel(
      await resolveModel(model),
      scenarioSignature,
      { agent, conversation_history, facts: facts.map(({ name, value }) => ({ name, value })) },
      { ...requests, ...defined({ signal }) },
    );
  } catch (error) {
    if (isCallweaveError(error) && error.code === "model-output") return undefined;
    throw error;
  }
}

/** Kinds of values that are recognized by their form, besides e-mail addresses, numbers and codes. */
const KINDS: readonly EntityKind[] = ["name", "date", "time"];
const GERMAN_NAME =
  /\b(?:[Mm]ein Name ist|[Ii]ch hei(?:ß|ss)e|[Hh]ier (?:ist|spricht))\s+(\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*){0,3})/u;

/** Facts that the caller stated: values of extracted variables that occur in their words, and values with a known form. */
function callFacts(extracted: JsonObject, lines: readonly CallerLine[]): readonly CallFact[] {
  const facts: CallFact[] = [];
  const add = (name: string, value: string) => {
    const folded = value.toLowerCase();
    if (!facts.some((fact) => fact.value.toLowerCase().includes(folded))) facts.push({ name, value });
  };
  const said = lines
    .map((line) => line.said)
    .join("\n")
    .toLowerCase();
  for (const [name, value] of Object.entries(extracted)) {
    const text = textOf(value)?.trim() ?? "";
    if (text !== "" && typeof value !== "boolean" && said.includes(text.toLowerCase())) add(name, text);
  }
  for (const line of lines) {
    for (const { kind, text } of statedFacts(line.said)) add(kind, text);
    for (const kind of KINDS) {
      const found = findEntity(line.said, kind);
      if (found !== undefined) add(kind, found);
    }
    const german = GERMAN_NAME.exec(line.said)?.[1];
    if (german !== undefined) add("name", german);
  }
  return facts;
}

/**
 * The variables that the agent filled during the call, with their last values. If an imported call does not name
 * them, those that the graph extracts.
 */
function extractedValues(call: Call, graph: AgentGraph | undefined): JsonObject {
  const declared =
    graph && new Set(Object.values(graph.nodes).flatMap((node) => node.variables_to_extract.map(({ name }) => name)));
  const recorded = call.transcript.flatMap(({ metadata }) =>
    metadata.kind === "extraction" && isRecord(metadata.variables) ? Object.keys(metadata.variables) : [],
  );
  const imported = recorded.length === 0 && call.provenance ? [...(declared ?? [])] : [];
  const names = [...new Set([...recorded, ...imported])].filter((name) => declared?.has(name) ?? true);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = own(call.variables, name);
      return value === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
}

/** Maximum length of a persona, in characters: it is sent with every turn of its caller. */
const LONGEST = 2_000;
const LONGEST_QUOTE = 200;
/** Words per line up to which a caller is brief, and from which one is talkative. */
const BRIEF = 6;
const TALKATIVE = 25;

/**
 * Describes a caller in sentences: what they want, what they know, what they answered, and how they speak.
 * If not everything fits, answers that state facts are kept first.
 *
 * @param agent Name of the agent.
 */
function personaByRules(lines: readonly CallerLine[], facts: readonly CallFact[], agent: string | undefined): string {
  const goal = goalLine(lines) ?? "";
  const head = [
    `You call ${agent === undefined ? "a voice agent" : agent} because of this: ${quoted(goal)}`,
    ...(facts.length > 0 ? [`You know: ${facts.map(({ name, value }) => `${name}: ${value}`).join("; ")}.`] : []),
  ];
  const tail = [mannerOf(lines), "Do not make up other facts. When your request is settled or refused, end the call."];
  const answers = lines.flatMap((line, index) =>
    line.said === goal || isCourtesy(line.said) ? [] : [{ index, text: answerOf(line), tellsFact: tells(line, facts) }],
  );
  let room = LONGEST - [...head, ...tail].join(" ").length;
  const kept = [...answers]
    .sort((a, b) => Number(b.tellsFact) - Number(a.tellsFact) || a.index - b.index)
    .filter(({ text }) => {
      room -= text.length + 1;
      return room >= 0;
    })
    .sort((a, b) => a.index - b.index);
  return [...head, ...kept.map(({ text }) => text), ...tail].join(" ");
}

function answerOf({ asked, said }: CallerLine): string {
  return asked === undefined
    ? `At some point you say ${quoted(said)}`
    : `When you are asked ${quoted(asked, "")}, you answer ${quoted(said)}`;
}

function tells({ said }: CallerLine, facts: readonly CallFact[]): boolean {
  const folded = said.toLowerCase();
  return facts.some(({ value }) => folded.includes(value.toLowerCase()));
}

function mannerOf(lines: readonly CallerLine[]): string {
  const words = lines.reduce((sum, { said }) => sum + said.split(/\s+/).length, 0) / Math.max(1, lines.length);
  const length = words <= BRIEF ? "in few words" : words >= TALKATIVE ? "at length" : "in a sentence or two";
  return `You speak ${length}, in the language and manner of these quotes.`;
}

/** A text in quotes, shortened, that ends a sentence unless `end` is empty. */
function quoted(text: string, end = "."): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll('"', "'").trim();
  const characters = [...line];
  const short = characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join("")}…` : line;
  return `"${short}"${/[.!?…]$/.test(short) ? "" : end}`;
}

/** Options of `scenarioFromCall()`. */
export interface ScenarioFromCallOptions {
  /** The agent of the scenario. Nodes, variables and tools that it does not have are left out. */
  readonly graph?: AgentGraph;
  /** Whether the caller says the recorded lines instead of following a persona. Default: false. */
  readonly script?: boolean;
  /** Name of the scenario. Default: the caller's request in their own words. */
  readonly name?: string;
  /** Model that writes persona and name. Default: written by rules. */
  readonly model?: ModelReference;
  /** Time limit, retries and middleware of the model's calls. */
  readonly requests?: RequestOptions;
  readonly signal?: AbortSignal;
}

/** A fact that the caller told the agent. */
export interface CallFact {
  /** Name of the graph's variable, else the kind of value: `name`, `date`, `email`, … */
  readonly name: string;
  /** As the caller said it. */
  readonly value: string;
}

/** A scenario written from a call, for a person to edit. */
export interface ScenarioFromCall {
  readonly scenario: Scenario;
  readonly facts: readonly CallFact[];
  /** The author of the persona; `null` if the caller says the recorded lines. */
  readonly personaBy: "rules" | "model" | null;
  /** Points to review before the scenario is used, one sentence each. */
  readonly notes: readonly string[];
}
