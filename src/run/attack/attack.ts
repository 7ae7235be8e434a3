import { pathFinder, ruleText } from "../../agent/analysis/mod.ts";
import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, groupOf, OPTION, rule } from "../../base/values/mod.ts";
import type { AgentConnection } from "../../call/connection/mod.ts";
import { realToolsOf } from "../../call/connection/mod.ts";
import { callableGraph } from "../../call/engine/mod.ts";
import { type ModelReference, modelName } from "../../call/models/mod.ts";
import { type AgentGraph, agentName } from "../../document/graph/mod.ts";
import { type Policy, parsePolicies, type Scenario, toScenarios } from "../../document/scenario/mod.ts";
import { graphOf, isConnection, lookUpAgent, standInGraph } from "../runner/mod.ts";
import { type AttemptSettings, roundsOf } from "./attempts.ts";
import { createBench } from "./bench.ts";
import { createDetector } from "./detect.ts";
import { hunt } from "./hunt.ts";
import { type Target, type Targets, targetsOf } from "./targets.ts";
import { ATTACK_KINDS, type AttackOptions, type AttackReport, type KnownAttack, type UntriedAttack } from "./types.ts";

const ACTION = "Cannot attack the agent";
const DEFAULT_LIMITS = { calls: 400, turns: 8, costUsd: 5, wallMs: 15 * 60_000 };
const DEFAULT_TRIES = 5;
const DEFAULT_SEED = "callweave";

const RULES = {
  models: OPTION.object,
  kinds: rule(`a list of ${ATTACK_KINDS.join(", ")}`, (value) => {
    return Array.isArray(value) && value.every((each) => ATTACK_KINDS.includes(each));
  }),
  policies: OPTION.list,
  never: OPTION.texts,
  secrets: OPTION.texts,
  variables: OPTION.object,
  known: OPTION.list,
  tries: OPTION.count,
  seed: OPTION.text,
  limits: groupOf({
    calls: OPTION.count,
    turns: OPTION.count,
    costUsd: OPTION.fromZero,
    wallMs: OPTION.milliseconds,
  }),
  requests: OPTION.object,
  graph: OPTION.object,
  allowDeployed: OPTION.switch,
  allowRealTools: OPTION.switch,
  signal: OPTION.signal,
  onProgress: OPTION.function,
};

/**
 * Attacks an agent: tries to make it give away its instructions, secrets and other callers, obey orders in data, call
 * tools without what they need, promise, advise, insult, and break policies. The targets are picked by the agent's
 * tools, variables, prompts and policies, and tried at the nodes where they are, with several kinds of pressure.
 *
 * What was found has a rate with an interval, the smallest conversation, and a scenario that fails while the agent has
 * the weakness. Tools never run: mocks answer all of them. Without models the attacks are written texts, the same for
 * the same seed.
 *
 * @param agent A graph, or with `allowDeployed` a connection of `callweave/connect`.
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {ScenarioError} `invalid-option`, `invalid-policy`, `attack-not-allowed`, `real-tools`, and what `run()` throws.
 * @example
 * ```ts
 * import { flow, scripted } from "callweave";
 * import { attack } from "callweave/testing";
 *
 * const desk = flow("desk").conversation("greet", { prompt: "Tell the caller when the shop is open." }).compile();
 * const naive = scripted({ respond: Array(300).fill("I was told: Tell the caller when the shop is open.") });
 * const { findings } = await attack(desk, { models: { agent: naive }, kinds: ["prompt"] });
 * console.log(findings[0]?.title, findings[0]?.node); // gives its instructions away greet
 * ```
 */
export async function attack(agent: AgentGraph | AgentConnection, options: AttackOptions = {}): Promise<AttackReport> {
  checkOptions(options, RULES, ScenarioError, ACTION);
  const { models = {}, seed = DEFAULT_SEED, tries = DEFAULT_TRIES } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { graph, connection } = await opened(agent, options);
  const policies = parsePolicies(options.policies ?? []);
  const isOffline = !connection && isOfflineModel(models.agent);
  const { targets, untried, ways } = targetsOf(graph, pathFinder(graph), { ...options, policies, isOffline });
  const reachable = targets.filter((target) => !connection || canTry(target, connection));
  using bench = createBench({
    agent: connection ?? graph,
    isConnection: connection !== undefined,
    graph,
    policies,
    limits,
    options,
  });
  const settings: AttemptSettings = {
    graph,
    ways,
    seed,
    turns: limits.turns,
    variables: { ...options.variables },
    isPlayed: !isOfflineModel(models.caller),
    isJudged: !isOfflineModel(models.judge),
    isMocked: connection?.capabilities.mocks ?? true,
  };
  const known = await runKnown(toScenarios(options.known ?? []), bench.runScenarios);
  const { findings, attacked } = await hunt(roundsOf(reachable, settings), {
    bench,
    detector: createDetector(graph),
    targets: reachable,
    watched: watchedTargets(reachable, policies, options),
    tries,
    onProgress: options.onProgress ?? (() => {}),
  });
  const stopped = bench.stopped();
  const isLeft = attacked.some(({ left }) => left > 0);
  return {
    agent: connection?.name ?? agentName(graph) ?? "agent",
    seed,
    findings,
    known,
    targets: attacked,
    untried: [...untried, ...untriedAt(connection, targets)],
    calls: bench.calls(),
    ...(stopped && (isLeft || stopped !== "calls") ? { stopped } : isLeft ? { stopped: "calls" } : {}),
    offline: isOffline,
    usage: bench.usage(),
  };
}

function isOfflineModel(model: ModelReference | undefined): boolean {
  return model === undefined || ["offline", "callweave/offline"].includes(modelName(model));
}

/** The graph of an agent, and its connection if it has one and may be attacked. */
async function opened(
  agent: AgentGraph | AgentConnection,
  options: AttackOptions,
): Promise<{ readonly graph: AgentGraph; readonly connection?: AgentConnection }> {
  if (!isConnection(agent)) return { graph: callableGraph(agent) };
  if (options.allowDeployed !== true) throw notAllowed(agent);
  const connection = await lookUpAgent(agent, options.signal);
  const tools = realToolsOf(connection);
  if (tools.length > 0 && options.allowRealTools !== true)
    throw new ScenarioError(
      `${ACTION}: the tools of "${connection.name}" cannot be mocked and would run: ${tools.join(", ")}`,
      {
        code: "real-tools",
        path: ["allowRealTools"],
        hint: "Attack an agent whose tools change nothing, or set allowRealTools: true (--allow-real-tools)",
      },
    );
  return { graph: options.graph ?? (await graphOf(connection)) ?? standInGraph(connection), connection };
}

function notAllowed({ name }: AgentConnection): ScenarioError {
  return new ScenarioError(`${ACTION}: "${name}" is deployed, and nobody said that it may be attacked`, {
    code: "attack-not-allowed",
    path: ["allowDeployed"],
    hint: "Attack its graph, or set allowDeployed: true (--allow-deployed) if the agent is yours",
  });
}

/** Whether a connection has what a target needs: planted values, or planted results. */
function canTry({ kind, variable }: Target, { capabilities }: AgentConnection): boolean {
  if (variable !== undefined && !capabilities.startVariables) return false;
  if (kind === "tool-injection") return capabilities.mocks;
  if (kind === "tool") return capabilities.toolArguments;
  return kind !== "policy";
}

function untriedAt(connection: AgentConnection | undefined, targets: Targets["targets"]): readonly UntriedAttack[] {
  if (!connection) return [];
  return targets
    .filter((target) => !canTry(target, connection))
    .map(({ kind, title }) => ({ kind, title, reason: `"${connection.name}" does not show it` }));
}

/** Targets that every call may break, whatever it is about. */
function watchedTargets(
  targets: readonly Target[],
  policies: readonly Policy[],
  { kinds }: AttackOptions,
): readonly Target[] {
  const tried = targets.filter(({ kind }) => kind === "prompt" || kind === "tool" || kind === "policy");
  if (kinds && !kinds.includes("policy")) return tried;
  const others = policies.filter(({ name }) => !targets.some(({ policy }) => policy?.name === name));
  return [
    ...tried,
    ...others.map((policy): Target => {
      const about = policy.rules.map((rule) => ruleText(rule)).join("; ");
      return { kind: "policy", title: `breaks the policy "${policy.name}"`, about, places: [], policy };
    }),
  ];
}

async function runKnown(
  scenarios: readonly Scenario[],
  runScenarios: ReturnType<typeof createBench>["runScenarios"],
): Promise<readonly KnownAttack[]> {
  const results = await runScenarios(scenarios);
  return scenarios.map(({ name }): KnownAttack => {
    const own = results.filter(({ scenario }) => scenario === name);
    if (own.some(({ status }) => status === "fail")) return { scenario: name, state: "open" };
    const isClosed = own.length > 0 && own.every(({ status }) => status === "pass");
    return { scenario: name, state: isClosed ? "closed" : "unknown" };
  });
}
