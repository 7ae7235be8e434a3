import { DEFAULT_BUDGET, type TurnMode } from "../engine/mod.ts";
import { type AgentGraph, parseScenarios, type Scenario } from "../graph/mod.ts";
import { costUsd, DEFAULT_RETRIES, type ModelReference, modelName, type Role } from "../models/mod.ts";
import { MOST_NUDGES } from "../turn/mod.ts";
import { type Ask, type Bound, boundOf } from "./call_bounds.ts";
import { DEFAULT_MAX_TURNS, type RunOptions } from "./options.ts";
import { plain, type RunnableScenario } from "./prepare.ts";
import { agentRequests, callerRequests, judgeRequest, type RequestSize } from "./request_size.ts";

/** What is sure to be needed, and what can be at most. A bound that does not exist is `Infinity`, in JSON `null`. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** Model calls: `worst` also counts what is asked again because an answer was refused, empty or no use. */
export interface CallRange extends Range {
  readonly worst: number;
}

/** What one part of a run, or the whole, will come to. */
export interface EstimatedUsage {
  readonly calls: CallRange;
  /** Roughly: by the lengths of the prompts and by how much is said in a turn on the phone. */
  readonly inputTokens: Range;
  readonly outputTokens: Range;
  /** In US dollars; `null` when one of the models has no price. */
  readonly costUsd: Range | null;
}

/** What a run will come to, before anything is spent. */
export interface Estimate {
  readonly turn: TurnMode;
  readonly scenarios: readonly { readonly scenario: string; readonly calls: CallRange }[];
  readonly roles: { readonly [Name in Role]: EstimatedUsage & { readonly models: readonly string[] } };
  readonly total: EstimatedUsage;
  /** Models of which no price is known. */
  readonly unpriced: readonly string[];
}

/** The options of a run that change what it costs. */
export type EstimateOptions = Pick<
  RunOptions,
  "models" | "turn" | "maxTurns" | "metrics" | "budget" | "calls" | "scenarioModels"
>;

/**
 * Says how many model calls, tokens and dollars a run will need, without making a call.
 *
 * The calls are bounds: of a call that is held to its end, `least` is always reached and `most` never passed, as long as
 * models answer in a way that can be used; `worst` holds also when they do not. A call that breaks off, by an error, a
 * time-out or a budget, may make fewer, and what is replayed from recordings makes none. They follow from the lines of
 * the caller or the most turns, the ways through the graph, its extract and function nodes and the turn mode. A reply
 * with tools counts up to the turn's limit on model calls, 20 unless a budget says otherwise.
 *
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`.
 * @example
 * ```ts
 * const { total } = estimate(clinic, scenarios, { models: { agent: "openai/gpt-5-mini" } });
 * console.log(`${total.calls.least} to ${total.calls.most} calls, at most ${total.costUsd?.most} dollars`);
 * ```
 */
export function estimate(
  graph: AgentGraph,
  sources: readonly RunnableScenario[],
  options: EstimateOptions = {},
): Estimate {
  const { models = { agent: "offline" }, turn = "split" } = options;
  const agentBounds = boundsOfAgent(graph, options);
  const callerBounds = boundsOfCaller(graph, options);
  const scenarios = parseScenarios(sources.map(plain)).map((scenario) => {
    const turns = scenario.max_turns ?? options.maxTurns ?? DEFAULT_MAX_TURNS;
    const agent = (options.scenarioModels && scenario.llm_model) || models.agent;
    return {
      scenario: scenario.name,
      roles: {
        agent: withCost(agentBounds(scenario, turns, agent), agent, options),
        caller: withCost(callerBounds(scenario, turns), models.caller ?? models.agent, options),
        judge: withCost(ofJudge(scenario, turns, options), models.judge ?? models.agent, options),
      },
    };
  });
  const ofRole = (role: Role) => {
    const used = scenarios.map(({ roles }) => roles[role]).filter(({ calls }) => calls.worst > 0);
    return { models: [...new Set(used.map(({ model }) => model))], ...sumOf(used) };
  };
  const roles = { agent: ofRole("agent"), caller: ofRole("caller"), judge: ofRole("judge") };
  const unpriced = Object.values(roles).flatMap((role) => role.models.filter((model) => !isPriced(model, options)));
  return {
    turn,
    scenarios: scenarios.map(({ scenario, roles: parts }) => ({ scenario, calls: sumOf(Object.values(parts)).calls })),
    roles,
    total: sumOf(Object.values(roles)),
    unpriced: [...new Set(unpriced)],
  };
}

type Counted = Omit<EstimatedUsage, "costUsd">;
type Bounds = (scenario: Scenario, turns: number, agent: ModelReference) => Counted;

function boundsOfAgent(graph: AgentGraph, options: EstimateOptions): Bounds {
  const { turn: mode = "split" } = options;
  const budget = { ...DEFAULT_BUDGET, ...options.budget };
  const callLimit = budget.call?.modelCalls ?? Number.POSITIVE_INFINITY;
  const replyLimit = Math.max(1, Math.min(budget.turn?.modelCalls ?? Number.POSITIVE_INFINITY, callLimit));
  const size = agentRequests(graph);
  const known = new Map<string, Counted>();

  return (scenario, maxTurns, agent) => {
    const scripted = scenario.says.length > 0;
    const turns = scripted ? Math.min(scenario.says.length, maxTurns) : maxTurns;
    const tries = triesOf(agent, options);
    const key = `${scripted} ${turns} ${tries}`;
    const counted = known.get(key) ?? count();
    known.set(key, counted);
    return counted;

    function count(): Counted {
      const base = { mode, turns, mayHangUp: !scripted };
      const least = (weigh: Bound["weigh"]) =>
        boundOf(graph, { ...base, side: "least", weigh, weighAhead: weigh, trustsFused: true });
      const most = (weigh: Bound["weigh"]) =>
        boundOf(graph, {
          ...base,
          side: "most",
          weigh: (ask) => times(requests(ask), weigh(ask)),
          weighAhead: weigh,
          trustsFused: true,
        });
      const worst = (weigh: Bound["weigh"]) =>
        boundOf(graph, {
          ...base,
          side: "most",
          weigh: (ask) => times(requestsAtWorst(ask, tries), weigh(ask)),
          weighAhead: (ask) => tries * weigh(ask),
          trustsFused: false,
        });
      const one = () => 1;
      const notReply = ({ signature }: Ask) => (signature === "respond" ? 0 : 1);
      // the call's budget is looked at before each reply: none begins once it is used up
      const held = (bound: typeof most) => Math.min(bound(one), callLimit + bound(notReply));
      return {
        calls: { least: Math.min(least(one), callLimit), most: held(most), worst: held(worst) },
        inputTokens: { least: least((ask) => size(ask).input), most: most((ask) => size(ask).input) },
        outputTokens: { least: least((ask) => size(ask).output), most: most((ask) => size(ask).output) },
      };
    }
  };

  /** A reply that was written ahead is not counted by the turn's limit. */
  function requests({ signature, node }: Ask): number {
    if (signature !== "respond" || node.tools.length === 0) return 1;
    return replyLimit + (mode === "speculative" ? 1 : 0);
  }

  function requestsAtWorst(ask: Ask, tries: number): number {
    if (ask.signature !== "respond") return tries;
    const ahead = mode === "split" ? 0 : tries;
    const limit = replyLimit + tries - 1 + ahead;
    return ask.node.tools.length > 0 ? limit : Math.min(limit, (MOST_NUDGES + 1) * tries + ahead);
  }
}

/** A caller that a model plays is asked at the beginning of each turn, unless the agent has ended the call. */
function boundsOfCaller(graph: AgentGraph, options: EstimateOptions): (scenario: Scenario, turns: number) => Counted {
  const tries = triesOf(options.models?.caller ?? options.models?.agent, options);
  const known = new Map<number, Range>();
  return ({ says, user_prompt: persona }, turns) => {
    if (says.length > 0) return NOTHING;
    const asked = {
      mode: options.turn ?? "split",
      turns,
      mayHangUp: true,
      perTurn: 1,
      weigh: () => 0,
      weighAhead: () => 0,
      trustsFused: true,
    };
    const { least, most } = known.get(turns) ?? {
      least: boundOf(graph, { ...asked, side: "least" }),
      most: boundOf(graph, { ...asked, side: "most" }),
    };
    known.set(turns, { least, most });
    const calls = { least, most, worst: most * tries };
    return countedBy(calls, callerRequests(persona, least), callerRequests(persona, most));
  };
}

function ofJudge({ metrics, says }: Scenario, turns: number, options: EstimateOptions): Counted {
  const global = (options.metrics ?? []).map((metric) => (typeof metric === "string" ? metric : metric.criterion));
  const criteria = [...new Set([...metrics.map(({ criterion }) => criterion), ...global])];
  if (criteria.length === 0) return NOTHING;
  const tries = triesOf(options.models?.judge ?? options.models?.agent, options);
  const most = says.length > 0 ? Math.min(says.length, turns) : turns;
  return countedBy({ least: 1, most: 1, worst: tries }, judgeRequest(criteria, 0), judgeRequest(criteria, most));
}

function countedBy(calls: CallRange, least: RequestSize, most: RequestSize): Counted {
  return {
    calls,
    inputTokens: { least: least.input, most: most.input },
    outputTokens: { least: least.output, most: most.output },
  };
}

const ZERO: Range = { least: 0, most: 0 };
const NOTHING: Counted = { calls: { ...ZERO, worst: 0 }, inputTokens: ZERO, outputTokens: ZERO };

/** Requests that one question may take; models of our own are asked once. */
function triesOf(model: ModelReference = "offline", { calls }: EstimateOptions): number {
  return nameOf(model).startsWith("callweave/") ? 1 : 1 + (calls?.retry?.retries ?? DEFAULT_RETRIES.retries);
}

function withCost(usage: Counted, reference: ModelReference, options: EstimateOptions) {
  const model = nameOf(reference);
  const cost = (side: "least" | "most") =>
    costUsd(model, { input: usage.inputTokens[side], output: usage.outputTokens[side] }, options.calls?.prices);
  const [least, most] = [cost("least"), cost("most")];
  const range = least === undefined || most === undefined ? null : { least, most };
  return { model, ...usage, costUsd: usage.calls.worst === 0 ? ZERO : range };
}

/** Without end times nothing is nothing. */
function times(count: number, weight: number): number {
  return weight === 0 ? 0 : count * weight;
}

function isPriced(model: string, { calls }: EstimateOptions): boolean {
  return costUsd(model, { input: 0, output: 0 }, calls?.prices) !== undefined;
}

function nameOf(model: ModelReference): string {
  return model === "offline" ? "callweave/offline" : modelName(model);
}

function sumOf(parts: readonly EstimatedUsage[]): EstimatedUsage {
  const sum = (ranges: readonly Range[]): Range => ({
    least: ranges.reduce((all, { least }) => all + least, 0),
    most: ranges.reduce((all, { most }) => all + most, 0),
  });
  const costs = parts.flatMap(({ costUsd: cost }) => cost ?? []);
  return {
    calls: {
      ...sum(parts.map(({ calls }) => calls)),
      worst: parts.reduce((all, { calls }) => all + calls.worst, 0),
    },
    inputTokens: sum(parts.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(parts.map(({ outputTokens }) => outputTokens)),
    costUsd: costs.length === parts.length ? sum(costs) : null,
  };
}
