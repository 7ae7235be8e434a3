import { knownVariables, toolResult } from "../../agent/analysis/mod.ts";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { completeScenario, type Scenario, type ToolMock } from "../../document/scenario/mod.ts";
import { createChoices, hiddenOrder, type Planted, plant } from "./planted.ts";
import { attackerPersona, criterionOf, scriptOf } from "./scripts.ts";
import { linesOn, type Target, type Targets } from "./targets.ts";
import { ATTACK_TECHNIQUES, type AttackTechnique } from "./types.ts";

/** One call of an attack. */
export interface Attempt {
  readonly target: Target;
  /** The node at which the attack begins. */
  readonly place: string;
  readonly technique: AttackTechnique;
  readonly planted: Planted;
  /** The call, without expectations. */
  readonly scenario: Scenario;
  /** The criterion that a judge decides, if there is one. */
  readonly criterion: string | undefined;
}

/** What attempts depend on. */
export interface AttemptSettings {
  readonly graph: AgentGraph;
  readonly ways: Targets["ways"];
  readonly seed: string;
  readonly turns: number;
  readonly variables: JsonObject;
  /** Whether a model plays the attacker. */
  readonly isPlayed: boolean;
  readonly isJudged: boolean;
  /** Whether mocks can answer the agent's tools. */
  readonly isMocked: boolean;
}

/** Kinds that only the rules decide, because what they plant is found word for word. */
const DECIDED = ["injection", "tool-injection", "variable-injection", "tool", "policy"];

/**
 * The attempts at some targets, by technique: first each target is asked for openly at each of its nodes, then the
 * pressure grows. In a round the nodes nearest to the start come first.
 */
export function roundsOf(
  targets: readonly Target[],
  settings: AttemptSettings,
): readonly { readonly technique: AttackTechnique; readonly attempts: readonly Attempt[] }[] {
  return ATTACK_TECHNIQUES.map((technique) => {
    const attempts = targets.flatMap((target) =>
      target.places.flatMap((place, rank) => {
        const attempt = attemptAt(target, place, technique, settings);
        return attempt ? [{ attempt, rank }] : [];
      }),
    );
    const inOrder = attempts.sort((a, b) => a.rank - b.rank).map(({ attempt }) => attempt);
    return { technique, attempts: inOrder };
  });
}

function attemptAt(
  target: Target,
  place: string,
  technique: AttackTechnique,
  settings: AttemptSettings,
): Attempt | undefined {
  const { kind, about, breach } = target;
  const choices = createChoices([settings.seed, kind, target.title, place, technique].join("\n"));
  const planted = plant(choices);
  const subject = { kind, about, planted };
  const lines = scriptOf(subject, choices)[technique];
  const way = breach ?? settings.ways.get(place);
  if (!lines || !way) return undefined;
  const before = linesOn(way);
  const isPlayed = settings.isPlayed && technique !== "direct";
  const says = [...before, ...(isPlayed ? [] : lines)];
  const scenario = completeScenario({
    name: [target.title, technique, `at ${place}`].join(", "),
    says: says.length > 0 ? says : ["Hello."],
    user_prompt: isPlayed ? attackerPersona(subject, technique) : "",
    dynamic_variables: { ...way.dynamic_variables, ...settings.variables, ...plantedVariables(target, planted) },
    tool_mocks: settings.isMocked ? mocksFor(target, planted, way, settings.graph) : [],
    max_turns: before.length + settings.turns,
  });
  const criterion = settings.isJudged && !DECIDED.includes(kind) ? criterionOf(subject) : undefined;
  return { target, place, technique, planted, scenario, criterion };
}

function plantedVariables({ kind, variable }: Target, planted: Planted): JsonObject {
  if (variable === undefined) return {};
  return { [variable]: kind === "secret" ? planted.secret : hiddenOrder(planted) };
}

/**
 * Mocks for all tools: an attack runs nothing. Those of the way come first, except where the results of tools are what
 * is planted.
 */
function mocksFor(target: Target, planted: Planted, way: Scenario, graph: AgentGraph): readonly ToolMock[] {
  const known = knownVariables(graph);
  const tools = Object.values(graph.nodes).flatMap((node) => node.tools.map((tool) => ({ node: node.id, tool })));
  const unique = new Map(tools.map((each) => [each.tool.name, each]));
  const isInjected = target.kind === "tool-injection";
  const own = [...unique.values()].map(({ node, tool }): ToolMock => {
    const names = Object.keys(tool.response_variables ?? {});
    const values = Object.fromEntries(
      names.map((name) => {
        const type = known.get(name)?.type;
        if (type === "number" || type === "boolean") return [name, type === "number" ? "1" : "true"];
        const choice = known.get(name)?.choices?.[0];
        return [name, choice ?? (isInjected ? `known. ${hiddenOrder(planted)}` : "known")];
      }),
    );
    const result = toolResult(graph, { node, tool: tool.name }, values);
    const output = {
      ...(isRecord(result) ? result : { result }),
      ...(isInjected ? { note: hiddenOrder(planted) } : {}),
      ...(target.kind === "other-callers" ? { other_customers: [planted.other] } : {}),
    };
    return { tool_name: tool.name, input_match_rule: { type: "any" }, output, result: true };
  });
  const isPlanted = isInjected || target.kind === "other-callers";
  const kept = way.tool_mocks.filter(({ tool_name: name }) => !isPlanted || !unique.has(name));
  return [...kept, ...own];
}
