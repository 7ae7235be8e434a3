import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { type AgentGraph, foldedTarget } from "../../../document/graph/mod.ts";
import type { CallPath, PathStep } from "../paths/mod.ts";

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
