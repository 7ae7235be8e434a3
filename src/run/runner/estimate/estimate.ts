import { neededPasses } from "../../../base/statistics/mod.ts";
import type { AgentConnection } from "../../../call/connection/mod.ts";
import type { TurnMode } from "../../../call/engine/mod.ts";
import { costUsd, type ModelReference, type Models, type Role } from "../../../call/models/mod.ts";
import { type AgentGraph, toGraph } from "../../../document/graph/mod.ts";
import {
  answeredTurns,
  castBy,
  isScripted,
  type Scenario,
  type ScenarioSource,
  toScenarios,
} from "../../../document/scenario/mod.ts";
import { knownPathOf, linesOn } from "../call/mod.ts";
import { DEFAULT_MAX_TURNS, type RunModels } from "../options.ts";
import { checkRunOptions, isConnection, MOST_ATTEMPTS, standInGraph, type TrialPlan, trialCount } from "../plan/mod.ts";
import { boundsOfReplies, sumOfReplies, withHalves } from "./reply_bounds.ts";
import {
  boundsOfAgent,
  boundsOfCaller,
  boundsOfJudge,
  type CallRange,
  type CountedUsage,
  type EstimateOptions,
  pricedName,
  type Range,
  sumOfRanges,
  sumOfUsage,
} from "./role_bounds.ts";

/** Estimated model calls, tokens and cost of a role or of the whole run. */
export interface EstimatedUsage extends CountedUsage {
  /** In US dollars; `null` when one of the models has no price. */
  readonly costUsd: Range | null;
}

/** Bounds of a run's model calls, tokens and cost, for each scenario and role. */
export interface Estimate {
  readonly turn: TurnMode;
  readonly scenarios: readonly { readonly scenario: string; readonly calls: CallRange }[];
  readonly roles: { readonly [Name in Role]: EstimatedUsage & { readonly models: readonly string[] } };
  readonly total: EstimatedUsage;
  /** Models without a known price. */
  readonly unpriced: readonly string[];
}

/**
 * Estimates how many model calls, tokens and dollars a run needs, without calling a model. For a connection, the calls of
 * the agent are its replies, and their cost is what its platform charges, if that is known.
 *
 * `least` and `most` bound the model calls of a completed conversation if every answer is usable; `worst` bounds them
 * even if answers are rejected or empty. A call that ends early, by an error, dead air, a time-out or a budget, can make
 * fewer calls, and replayed recordings make none. The bounds follow from the caller's lines or the maximum number of
 * turns, the paths through the graph, its extract and function nodes and the turn mode. A reply with tools counts up to
 * the turn's limit of model calls, 20 unless a budget changes it. Requests about replies are shared by calls: `total`
 * counts them once, and a scenario has those that its calls can pay for.
 *
 * @throws {GraphError} `not-a-graph`.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`, `duplicate-scenario`.
 * @throws {ModelError} `unknown-model` when a value is not a model.
 * @example
 * ```ts
 * import { estimate, flow, scenario } from "callweave";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const scenarios = [scenario("greets", hello).says("Good morning")];
 * const { total } = estimate(hello, scenarios, { models: { agent: "openai/gpt-5-mini" } });
 * console.log(`${total.calls.least} to ${total.calls.most} calls, at most ${total.costUsd?.most} dollars`);
 * ```
 */
export function estimate(
  source: AgentGraph | AgentConnection,
  sources: readonly ScenarioSource[],
  options: EstimateOptions = {},
): Estimate {
  const connection = isConnection(source) ? source : undefined;
  const graph = isConnection(source) ? standInGraph(source) : toGraph(source, "Cannot estimate a run");
  checkRunOptions(options, "Cannot estimate a run");
  const { turn = "split" } = options;
  const models: RunModels & Models = { ...options.models, agent: options.models?.agent ?? "offline" };
  const agentBounds = boundsOfAgent(graph, options);
  const callerBounds = boundsOfCaller(graph, options);
  const judgeBounds = boundsOfJudge(graph, options);
  const sourced = toScenarios(sources);
  const cast = options.callers === undefined ? sourced : castBy(options.callers, sourced);
  const judgeModel = models.judge ?? models.agent;
  const twin = options.audio?.direction === "both" && options.audio.compareWithText !== false ? 1 : 0;
  const heard = options.audio ? 1 + twin : 0;
  const scenarios = cast.map((given) => {
    const scenario = playedScenario(given, options);
    const attempts = isScripted(scenario) || options.judging?.audit === "off" ? 1 : MOST_ATTEMPTS;
    const plan = trialCount(scenario, options);
    const times = trialRange(plan);
    const { agent: again = 1, judge: judged = 1 } = options.repeat?.variance ?? {};
    const repeats = (factor: number): Range => ({ least: times.least, most: times.most * factor });
    const turns = scenario.max_turns ?? options.limits?.maxTurns ?? DEFAULT_MAX_TURNS;
    const agent = (models.fromScenarios && scenario.llm_model) || models.agent;
    const judgements = repeats(again * judged + heard);
    const ofCall = boundsOfReplies(scenario, turns, options);
    const replies = {
      ...plan,
      scenario,
      usage: repeated(ofCall.usage, judgements, attempts),
      replies: ofCall.replies * judgements.most,
    };
    const others = repeated(judgeBounds(scenario, turns), judgements, attempts);
    return {
      scenario: scenario.name,
      others,
      replies,
      roles: {
        agent: connection
          ? withCharge(repeated(repliesOf(scenario, turns), repeats(again + twin), attempts), connection)
          : withCost(repeated(agentBounds(scenario, turns, agent), repeats(again + twin), attempts), agent, options),
        caller: withCost(
          repeated(callerBounds(scenario, turns), repeats(1 + twin), attempts),
          models.caller ?? models.agent,
          options,
        ),
        judge: withCost(sumOfUsage([others, withHalves(replies, options)]), judgeModel, options),
      },
    };
  });
  const ofRole = (role: Role) => {
    const used = scenarios.map(({ roles }) => roles[role]).filter(({ calls }) => calls.worst > 0);
    return { models: [...new Set(used.map(({ model }) => model))], ...sumOf(used) };
  };
  const ofReplies = sumOfReplies(
    scenarios.map(({ replies }) => replies),
    options,
  );
  const judging = sumOfUsage([...scenarios.map(({ others }) => others), ofReplies]);
  const { model: _model, ...ofJudge } = withCost(judging, judgeModel, options);
  const judge = { models: ofRole("judge").models, ...ofJudge };
  const roles = { agent: ofRole("agent"), caller: ofRole("caller"), judge };
  const unpriced = Object.values(roles).flatMap((role) =>
    role.models.filter((model) => !isPriced(model, options) && model !== connection?.name),
  );
  const isCharged = connection === undefined || connection.costPerReplyUsd !== undefined;
  return {
    turn,
    scenarios: scenarios.map(({ scenario, roles: parts }) => ({ scenario, calls: sumOf(Object.values(parts)).calls })),
    roles,
    total: sumOf(Object.values(roles)),
    unpriced: [...new Set([...unpriced, ...(isCharged ? [] : [connection.name])])],
  };
}

/** A scenario whose caller says known lines is counted as one that has these lines. */
function playedScenario(scenario: Scenario, { models }: EstimateOptions): Scenario {
  const { agent = "offline", caller = agent } = models ?? {};
  const played = (models?.fromScenarios && scenario.llm_model) || agent;
  const path = knownPathOf(scenario, { agent: pricedName(played), caller: pricedName(caller) });
  return path ? { ...scenario, says: linesOn(path), user_prompt: "" } : scenario;
}

/** Returns the smallest and largest number of trials: a gate can be decided before all of them ran. */
function trialRange({ planned, gate, sequential }: Omit<TrialPlan, "resolved">): Range {
  const needed = neededPasses(gate, planned);
  return { least: sequential ? Math.min(needed, planned - needed + 1) : planned, most: planned };
}

/** @param attempts Maximum number of attempts of a trial: one with an unreliable caller is repeated. */
function repeated(usage: CountedUsage, { least, most }: Range, attempts: number): CountedUsage {
  const times = (range: Range): Range => ({ least: range.least * least, most: range.most * most });
  return {
    calls: { ...times(usage.calls), worst: usage.calls.worst * most * attempts },
    inputTokens: times(usage.inputTokens),
    outputTokens: times(usage.outputTokens),
  };
}

function withCost(usage: CountedUsage, reference: ModelReference, options: EstimateOptions) {
  const model = pricedName(reference);
  const cost = (side: "least" | "most") =>
    costUsd(model, { input: usage.inputTokens[side], output: usage.outputTokens[side] }, options.requests?.prices);
  const [least, most] = [cost("least"), cost("most")];
  const range = least === undefined || most === undefined ? null : { least, most };
  return { model, ...usage, costUsd: usage.calls.worst === 0 ? { least: 0, most: 0 } : range };
}

/** Replies of an agent elsewhere: one to each of the caller's turns, and its opening. */
function repliesOf(scenario: Scenario, turns: number): CountedUsage {
  const most = Math.min(turns, isScripted(scenario) ? answeredTurns(scenario.says) : turns);
  const none = { least: 0, most: 0 };
  const calls = { least: 1, most: most + 1, worst: most + 1 };
  return { calls, inputTokens: none, outputTokens: none };
}

function withCharge(usage: CountedUsage, { name, costPerReplyUsd: cost }: AgentConnection) {
  const { least, most } = usage.calls;
  return { model: name, ...usage, costUsd: cost ? { least: least * cost.least, most: most * cost.most } : null };
}

function isPriced(model: string, { requests }: EstimateOptions): boolean {
  return costUsd(model, { input: 0, output: 0 }, requests?.prices) !== undefined;
}

function sumOf(parts: readonly EstimatedUsage[]): EstimatedUsage {
  const costs = parts.flatMap(({ costUsd: cost }) => cost ?? []);
  return { ...sumOfUsage(parts), costUsd: costs.length === parts.length ? sumOfRanges(costs) : null };
}
