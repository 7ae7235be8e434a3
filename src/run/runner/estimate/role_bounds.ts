import { DEFAULT_TURN_CALLS } from "../../../call/engine/mod.ts";
import { hasChoices, judgesNeeded } from "../../../call/judges/mod.ts";
import {
  argumentsSignature,
  auditSignature,
  callerSignature,
  DEFAULT_RETRIES,
  extractSignature,
  flowSignature,
  fusedSignature,
  judgeSignature,
  type ModelReference,
  modelName,
  RESPOND_INSTRUCTIONS,
  transitionSignature,
} from "../../../call/models/mod.ts";
import { MOST_NUDGES } from "../../../call/turn/mod.ts";
import type { AgentGraph, AgentNode } from "../../../document/graph/mod.ts";
import { answeredTurns, isScripted, personaWithTraits, type Scenario } from "../../../document/scenario/mod.ts";
import { flowJudgement, type RunOptions } from "../options.ts";
import { type Ask, type Bound, boundOf } from "./call_bounds.ts";

/** Options of a run that affect its cost. */
export type EstimateOptions = Pick<
  RunOptions,
  "models" | "turn" | "limits" | "requests" | "repeat" | "judging" | "callers" | "audio" | "share"
>;

type Bounds = (scenario: Scenario, turns: number, agent: ModelReference) => CountedUsage;

/** Bounds the agent's model calls by the paths through the graph. */
export function boundsOfAgent(graph: AgentGraph, options: EstimateOptions): Bounds {
  const { turn: mode = "split", limits: { budget } = {} } = options;
  const callLimit = budget?.call?.modelCalls ?? Number.POSITIVE_INFINITY;
  const replyLimit = Math.max(1, Math.min(budget?.turn?.modelCalls ?? DEFAULT_TURN_CALLS, callLimit));
  const size = agentRequests(graph);
  const known = new Map<string, CountedUsage>();

  return (scenario, maxTurns, agent) => {
    const scripted = isScripted(scenario);
    const turns = scripted ? Math.min(answeredTurns(scenario.says), maxTurns) : maxTurns;
    const tries = triesOf(agent, options);
    const key = `${scripted} ${turns} ${tries}`;
    const counted = known.get(key) ?? count();
    known.set(key, counted);
    return counted;

    function count(): CountedUsage {
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
      // the call's budget is checked before each reply; no reply starts after it is used up
      const limited = (bound: typeof most) => Math.min(bound(one), callLimit + bound(notReply));
      return {
        calls: { least: Math.min(least(one), callLimit), most: limited(most), worst: limited(worst) },
        inputTokens: { least: least((ask) => size(ask).input), most: most((ask) => size(ask).input) },
        outputTokens: { least: least((ask) => size(ask).output), most: most((ask) => size(ask).output) },
      };
    }
  };

  /** Number of requests of a model call. A speculative reply does not count towards the turn's limit. */
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

/** Bounds the model calls of a simulated caller: one per turn until the agent ends the call. */
export function boundsOfCaller(
  graph: AgentGraph,
  options: EstimateOptions,
): (scenario: Scenario, turns: number) => CountedUsage {
  const tries = triesOf(options.models?.caller ?? options.models?.agent, options);
  const known = new Map<number, Range>();
  return (scenario, turns) => {
    if (isScripted(scenario)) return NOTHING;
    const { user_prompt, says, caller } = scenario;
    const persona = caller ? personaWithTraits(user_prompt, caller) : user_prompt;
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
    // the agent may end the call while the caller still has lines to say
    const played = { least: says.length > 0 ? 0 : least, most: Math.max(0, most - answeredTurns(says)) };
    const calls = { ...played, worst: played.most * tries };
    return countedBy(calls, callerRequests(persona, played.least), callerRequests(persona, played.most));
  };
}

/**
 * Bounds the judge's model calls: one per completed call, for all criteria together, and one for the audit of a simulated
 * caller and one for the path, if they are asked for. Those for its replies are counted by `boundsOfReplies()`.
 */
export function boundsOfJudge(
  graph: AgentGraph,
  options: EstimateOptions,
): (scenario: Scenario, turns: number) => CountedUsage {
  return (scenario, turns) =>
    sumOfUsage([
      boundsOfAudit(scenario, turns, options),
      boundsOfVerdicts(scenario, turns, options),
      boundsOfPath(graph, { scenario, turns }, options),
    ]);
}

/** A call without a choice, such as one that the caller ends before the first, has no path to judge. */
function boundsOfPath(
  graph: AgentGraph,
  { scenario, turns }: { readonly scenario: Scenario; readonly turns: number },
  options: EstimateOptions,
): CountedUsage {
  const judgement = flowJudgement(options);
  if (!judgement || !hasChoices(graph)) return NOTHING;
  const { panel = 1 } = judgement;
  const tries = triesOf(options.models?.judge ?? options.models?.agent, options);
  const most = isScripted(scenario) ? Math.min(answeredTurns(scenario.says), turns) : turns;
  const { input, output } = flowRequest(graph, most);
  const calls = { least: 0, most: panel, worst: panel * tries };
  return countedBy(calls, { input: 0, output: 0 }, { input: panel * input, output: panel * output });
}

function boundsOfAudit(scenario: Scenario, turns: number, options: EstimateOptions): CountedUsage {
  const { audit } = options.judging ?? {};
  if (audit === "off" || isScripted(scenario)) return NOTHING;
  const tries = triesOf(options.models?.judge ?? options.models?.agent, options);
  const request = (lines: number) => auditRequest(scenario.user_prompt, lines);
  const once = { least: 1, most: 1, worst: tries };
  if (!scenario.caller) return audit === "judge" ? countedBy(once, request(0), request(turns)) : NOTHING;
  // rules decide about most traits, and a finding ends the audit
  const perhaps = { least: 0, most: 1, worst: tries };
  const ofTraits = countedBy(perhaps, { input: 0, output: 0 }, request(turns));
  const facts = audit === "judge" ? countedBy({ ...once, least: 0 }, { input: 0, output: 0 }, request(turns)) : NOTHING;
  return sumOfUsage([facts, ofTraits]);
}

function boundsOfVerdicts(scenario: Scenario, turns: number, options: EstimateOptions): CountedUsage {
  const { metrics, says } = scenario;
  const global = (options.judging?.metrics ?? []).map((metric) =>
    typeof metric === "string" ? metric : metric.criterion,
  );
  const criteria = [...new Set([...metrics.map(({ criterion }) => criterion), ...global])];
  if (criteria.length === 0) return NOTHING;
  const tries = triesOf(options.models?.judge ?? options.models?.agent, options);
  const panels = (options.judging?.metrics ?? []).flatMap((metric) => (typeof metric === "string" ? [] : metric));
  const judges = Math.max(1, judgesNeeded([...metrics, ...panels]));
  const most = isScripted(scenario) ? Math.min(answeredTurns(says), turns) : turns;
  const largest = judgeRequest(criteria, most);
  return countedBy({ least: judges, most: judges, worst: judges * tries }, judgeRequest(criteria, 0), {
    input: judges * largest.input,
    output: judges * largest.output,
  });
}

export function countedBy(calls: CallRange, least: RequestSize, most: RequestSize): CountedUsage {
  return {
    calls,
    inputTokens: { least: least.input, most: most.input },
    outputTokens: { least: least.output, most: most.output },
  };
}

const ZERO: Range = { least: 0, most: 0 };
export const NOTHING: CountedUsage = { calls: { ...ZERO, worst: 0 }, inputTokens: ZERO, outputTokens: ZERO };

/** Number of requests that one model call may need. Built-in models are called once. */
export function triesOf(model: ModelReference = "offline", { requests }: EstimateOptions): number {
  return pricedName(model).startsWith("callweave/") ? 1 : 1 + (requests?.retry?.retries ?? DEFAULT_RETRIES.retries);
}

/** Multiplies, but returns 0 for `Infinity` times 0. */
function times(count: number, weight: number): number {
  return weight === 0 ? 0 : count * weight;
}

/** Returns the model name used for prices. */
export function pricedName(model: ModelReference): string {
  return model === "offline" ? "callweave/offline" : modelName(model);
}

/** Estimated input and output tokens of a request. */
export interface RequestSize {
  readonly input: number;
  readonly output: number;
}

/** Average characters per token of English prose in the tokenizers of most vendors. */
const CHARACTERS_PER_TOKEN = 4;
/** Average tokens that a caller or agent says in one turn. */
export const LINE = 15;
export const REPLY = 35;
/** JSON Schema of the answer and field names around the input, in tokens. */
export const CONTRACT = 200;
const DECISION = 45;
const VALUE = 12;
const VERDICT = 90;

/** Estimates the size of the agent's requests: instructions by their length, the history by the number of turns. */
function agentRequests(graph: AgentGraph): (ask: Ask) => RequestSize {
  const general = tokensOf(graph.source_metadata.general_prompt ?? "");
  const nodes = Object.values(graph.nodes);
  const globals = nodes.filter(({ global_node_setting: setting }) => setting);
  const entries = tokensOf(globals.map(({ id, global_node_setting: own }) => `${id} ${own?.condition}`).join(" "));
  const known = new Map<string, RequestSize>();

  return ({ signature, node, turn }) => {
    const key = `${signature} ${node.id}`;
    const still = known.get(key) ?? withoutHistory(signature, node);
    known.set(key, still);
    return { input: still.input + REPLY + turn * (LINE + REPLY), output: still.output };
  };

  function withoutHistory(signature: Ask["signature"], node: AgentNode): RequestSize {
    const prompt = tokensOf(node.state_prompt);
    const offers = entries + tokensOf(JSON.stringify(node.transitions.map(({ metadata: _, ...rest }) => rest)));
    switch (signature) {
      case "respond": {
        const tools = tokensOf(JSON.stringify(node.tools.map(({ metadata: _, ...rest }) => rest)));
        return { input: tokensOf(RESPOND_INSTRUCTIONS) + general + prompt + tools, output: REPLY };
      }
      case "transition":
        return { input: CONTRACT + tokensOf(transitionSignature.instructions) + prompt + offers, output: DECISION };
      case "fused": {
        const targets = node.transitions.flatMap(
          ({ target_node_id: id }) => nodes.find((each) => each.id === id) ?? [],
        );
        const prompts = tokensOf([...targets, ...globals].map(({ state_prompt: text }) => text).join(" "));
        const instructions = tokensOf(fusedSignature.instructions) + general + prompt;
        return { input: CONTRACT + instructions + offers + prompts, output: DECISION + REPLY };
      }
      case "extract": {
        const variables = tokensOf(JSON.stringify(node.variables_to_extract));
        const input = CONTRACT + tokensOf(extractSignature.instructions) + prompt + variables;
        return { input, output: VALUE * node.variables_to_extract.length };
      }
      case "arguments": {
        const parameters = JSON.stringify(node.tools[0]?.parameters ?? {});
        const input = CONTRACT + tokensOf(argumentsSignature.instructions) + prompt + tokensOf(parameters);
        return { input, output: VALUE * Math.max(1, parameters.split('"type"').length - 1) };
      }
    }
  }
}

/** Estimates the total size of all requests of a simulated caller. */
function callerRequests(persona: string, requests: number): RequestSize {
  const still = CONTRACT + tokensOf(callerSignature.instructions) + tokensOf(persona);
  const before = (requests * (requests - 1)) / 2;
  return { input: requests * (still + REPLY) + before * (LINE + REPLY), output: requests * (LINE + DECISION) };
}

/** Estimates the size of the request that judges a call. */
function judgeRequest(criteria: readonly string[], turns: number): RequestSize {
  const still = CONTRACT + tokensOf(judgeSignature.instructions) + tokensOf(criteria.join(" "));
  return { input: still + REPLY + turns * (LINE + REPLY), output: VERDICT * criteria.length };
}

/** Size of the request that judges the path of a call with this number of turns, each with a step. */
function flowRequest(graph: AgentGraph, turns: number): RequestSize {
  const nodes = Object.values(graph.nodes).map(({ state_prompt: prompt, transitions }) => [
    prompt,
    ...transitions.map(({ target_node_id: target, condition }) => [target, condition.value, condition.equations]),
  ]);
  const still = CONTRACT + tokensOf(flowSignature.instructions) + (turns === 0 ? 0 : tokensOf(JSON.stringify(nodes)));
  return { input: still + REPLY + turns * (LINE + REPLY + DECISION), output: VERDICT * (1 + turns) };
}

/** Size of the request that audits the caller of a call with this number of turns. */
function auditRequest(persona: string, turns: number): RequestSize {
  const still = CONTRACT + tokensOf(auditSignature.instructions) + tokensOf(persona);
  return { input: still + REPLY + turns * (LINE + REPLY), output: VERDICT };
}

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** A lower and an upper bound. `Infinity`, in JSON `null`, means that there is no upper bound. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** Number of model calls. `worst` also counts repeated calls after a rejected, empty or unusable answer. */
export interface CallRange extends Range {
  readonly worst: number;
}

/** Model calls and tokens of one role in one call. */
export interface CountedUsage {
  readonly calls: CallRange;
  /** Estimated from prompt lengths and the average length of a turn on the phone. */
  readonly inputTokens: Range;
  readonly outputTokens: Range;
}

/** Adds ranges: the least of all, and the most. */
export function sumOfRanges(ranges: readonly Range[]): Range {
  return {
    least: ranges.reduce((all, { least }) => all + least, 0),
    most: ranges.reduce((all, { most }) => all + most, 0),
  };
}

/** Adds model calls and tokens. */
export function sumOfUsage(parts: readonly CountedUsage[]): CountedUsage {
  return {
    calls: {
      ...sumOfRanges(parts.map(({ calls }) => calls)),
      worst: parts.reduce((all, { calls }) => all + calls.worst, 0),
    },
    inputTokens: sumOfRanges(parts.map(({ inputTokens }) => inputTokens)),
    outputTokens: sumOfRanges(parts.map(({ outputTokens }) => outputTokens)),
  };
}
