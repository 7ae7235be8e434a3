import { ModelError, ScenarioError } from "../../../base/errors.ts";
import { own } from "../../../base/values/mod.ts";
import {
  type Caller,
  createInterruptingCaller,
  createPersonaCaller,
  createSteppingCaller,
} from "../../../call/callers/mod.ts";
import { type CallSettings, followPath, type Model, modelName, type PathFollower } from "../../../call/models/mod.ts";
import { equationText, expandPrompt } from "../../../document/expressions/mod.ts";
import type { AgentGraph, Transition, TransitionCondition } from "../../../document/graph/mod.ts";
import { type OfflineTurn, personaWithTraits, type Scenario, traitsOf } from "../../../document/scenario/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";

/** Models and variables for the simulated callers of a run. */
export interface CallerSetup {
  readonly model: Model;
  readonly calls: CallSettings;
  /** Variables of the call; they replace placeholders in personas. */
  readonly variables: { readonly [name: string]: unknown };
  /** The agent's language setting, which the caller speaks if the scenario names no language. */
  readonly agentLanguage?: string | null | undefined;
}

/**
 * Creates the simulated caller of a scenario: it says the scripted lines first, then plays the persona.
 *
 * @throws {ScenarioError} `invalid-scenario` when the scenario has no lines and no persona.
 */
export function callerOf(scenario: Scenario, { model, calls, variables, agentLanguage }: CallerSetup): Caller {
  const { says, user_prompt: prompt } = scenario;
  if (prompt.trim() === "") {
    if (says.length > 0) return createSteppingCaller(says);
    throw new ScenarioError(`Cannot run the call: scenario "${scenario.name}" has no caller`, {
      code: "invalid-scenario",
      hint: "Add a persona or lines to say, or return a caller from createCaller",
    });
  }
  const { caller: traits } = scenario;
  const language = languageOfCaller(scenario, agentLanguage);
  const text = expandPrompt(prompt, { snippets: {}, variables });
  const talking = createPersonaCaller(traits ? personaWithTraits(text, traits) : text, model, { ...calls, language });
  const interrupts = traits ? traitsOf(traits).flatMap(({ effect }) => effect.interrupts ?? [])[0] : undefined;
  const persona = interrupts ? createInterruptingCaller(talking, interrupts, language) : talking;
  return says.length > 0 ? createSteppingCaller(says, persona) : speaking(persona, scenario);
}

/** The language of the caller or the scenario, else the agent's: English needs no word about it, and `multi` is none. */
function languageOfCaller({ caller, speaks }: Scenario, agentLanguage: string | null = null): string | undefined {
  const own = caller?.language ?? speaks?.language;
  if (own) return own;
  return agentLanguage && !/^(?:en\b|multi)/i.test(agentLanguage) ? agentLanguage : undefined;
}

/**
 * Throws when the caller hangs up before saying anything, unless the scenario expects `caller_ended`: such a call tests
 * nothing.
 */
function speaking(persona: Caller, { ends }: Scenario): Caller {
  return {
    ...persona,
    next: async (history, options) => {
      const move = await persona.next(history, options);
      if (move.say !== undefined || ends || history.some(({ role }) => role === "user")) return move;
      throw new ModelError("Cannot run the call: the caller's model hung up before saying anything", {
        code: "model-output",
        hint: 'Use a stronger model for the caller, or expect it with .ends("caller_ended")',
      });
    },
  };
}

/** The models that play a call. */
export interface Players {
  readonly agent: Model;
  readonly caller: Model;
}

/** The path that a call follows because the offline model plays both sides; `undefined`: models or lines decide. */
export function knownPathOf(
  { offline_path: path, says, caller: traits }: Pick<Scenario, "offline_path" | "says" | "caller">,
  { agent, caller }: { readonly agent: string; readonly caller: string },
): readonly OfflineTurn[] | undefined {
  const isPlayed = [agent, caller].every((name) => name === "callweave/offline" || name === "offline");
  // the lines of a path show no traits
  return path && path.length > 0 && says.length === 0 && isPlayed && !traits ? path : undefined;
}

/** The caller's lines on a path: at least one, as a call needs a caller. */
export function linesOn(path: readonly OfflineTurn[]): readonly string[] {
  const lines = path.flatMap(({ says }) => says ?? []);
  return lines.length > 0 ? lines : ["Goodbye."];
}

/** The agent and the caller of a call that follows the path of its scenario. */
export interface PathPlayers extends PathFollower {
  /** Says the lines of the path, and hangs up after the reply to the last one. */
  readonly caller: Caller;
  /** Another caller, with whom the path goes on at each line. */
  readonly withCaller: (caller: Caller) => Caller;
}

/** Creates the players of one call. */
export function pathPlayers(scenario: Scenario, { agent, caller }: Players): PathPlayers | undefined {
  const path = knownPathOf(scenario, { agent: modelName(agent), caller: modelName(caller) });
  if (!path) return undefined;
  const opening = path.filter(({ says }) => says === undefined || says === null);
  const follower = followPath([opening[0] ?? {}, ...path.filter((turn) => !opening.includes(turn))]);
  const withCaller = (played: Caller): Caller => ({
    next: async (history, options) => {
      const move = await played.next(history, options);
      if (move.say !== undefined) follower.hear();
      return move;
    },
    ...(played.ahead ? { ahead: played.ahead } : {}),
  });
  const lines = linesOn(path);
  let said = 0;
  const reader: Caller = {
    next: async () => {
      const say = lines[said] ?? "";
      said += 1;
      return said < lines.length ? { say } : { say, hangUp: "caller_ended" };
    },
  };
  return { ...follower, withCaller, caller: withCaller(reader) };
}

/** Number of silent replies in a row that count as dead air. */
const SILENT_ANSWERS = 2;

/** Counts the agent's silent replies in a row. */
export interface SilenceWatch {
  /**
   * @param turn Messages that the turn added, and the current node.
   * @returns A description of the dead air after too many silent replies in a row, else `undefined`.
   */
  readonly answered: (turn: AnsweredTurn) => string | undefined;
}

/** The agent's reply to one message of the caller. */
export interface AnsweredTurn {
  readonly messages: readonly Message[];
  readonly nodeId: string;
  readonly variables: { readonly [name: string]: string };
}

/** Creates a watch for dead air: an agent that stays silent twice in a row when the caller speaks. */
export function watchSilence(graph: AgentGraph): SilenceWatch {
  let silent = 0;
  return {
    answered: ({ messages, nodeId, variables }) => {
      const isHeard = messages.some(({ role, content }) => role === "assistant" && content.trim() !== "");
      silent = isHeard ? 0 : silent + 1;
      if (silent < SILENT_ANSWERS) return undefined;
      const kind = own(graph.nodes, nodeId)?.node_type;
      const silence = `the agent answered the caller with silence ${SILENT_ANSWERS} times in a row`;
      if (kind === undefined) return nodeId === "" ? silence : `${silence} at node "${nodeId}"`;
      return `${silence} at node "${nodeId}" (${kind}), ${waitsFor(graph, nodeId, variables)}`;
    },
  };
}

/** Describes what must happen before the call leaves a node. */
function waitsFor(graph: AgentGraph, nodeId: string, variables: AnsweredTurn["variables"]): string {
  const { transitions = [], node_type: type } = own(graph.nodes, nodeId) ?? {};
  if (type === "conversation") return "which has nothing to say";
  if (transitions.length === 0) return "which has no transition";
  return `which waits for ${transitions.map((transition) => conditionOf(transition, variables)).join("; or for ")}`;
}

function conditionOf({ condition, target_node_id: target }: Transition, variables: AnsweredTurn["variables"]): string {
  return `${inWords(condition, variables)} (to "${target}")`;
}

function inWords(condition: TransitionCondition, variables: AnsweredTurn["variables"]): string {
  if (condition.type === "llm_prompt") return `"${condition.value}"`;
  if (condition.type === "tool_call")
    return `tool ${condition.value || "call"} ${condition.outcome ?? "to answer"}`.trim();
  if (condition.type === "always") return "nothing";
  return equationText(condition, variables);
}
