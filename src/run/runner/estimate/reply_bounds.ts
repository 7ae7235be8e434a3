import { replyRequests } from "../../../call/judges/mod.ts";
import { repliesSignature } from "../../../call/models/mod.ts";
import { answeredTurns, isScripted, judgedReplyRules, type Scenario } from "../../../document/scenario/mod.ts";
import { ENOUGH_REPLIES, sharesReplies } from "../judging.ts";
import type { TrialPlan } from "../plan/mod.ts";
import {
  CONTRACT,
  type CountedUsage,
  countedBy,
  type EstimateOptions,
  LINE,
  NOTHING,
  pricedName,
  REPLY,
  sumOfUsage,
  tokensOf,
  triesOf,
} from "./role_bounds.ts";

/** Tokens of a ruling. */
const RULING = 40;
/** A shared request whose answer cannot be used is sent again in halves, until each call of it is alone. */
const MOST_HALVINGS = Math.ceil(Math.log2(ENOUGH_REPLIES));

/** The requests about the replies of one call. */
export interface ReplyBounds {
  /** If the call is judged on its own: a request for up to 40 replies. */
  readonly usage: CountedUsage;
  /** Greatest number of its replies. */
  readonly replies: number;
}

/** A criterion may apply to no reply, such as one for a node that is not visited. The opening is a reply, too. */
export function boundsOfReplies(scenario: Scenario, turns: number, options: EstimateOptions): ReplyBounds {
  const rules = judgedReplyRules(scenario);
  if (rules.length === 0) return { usage: NOTHING, replies: 0 };
  const tries = judgeTries(options);
  const played = isScripted(scenario) ? Math.min(answeredTurns(scenario.says), turns) : turns;
  // a criterion for a node judges another part of a turn than one for the whole turn
  const replies = (1 + played) * new Set(rules.map(({ node }) => node ?? null)).size;
  const requests = replyRequests(replies);
  const most = {
    input: requests * contractOf(rules.map(({ criterion }) => criterion)) + replies * (LINE + REPLY),
    output: RULING * rules.length * (1 + played),
  };
  const calls = { least: 0, most: requests, worst: requests * tries };
  return { usage: countedBy(calls, { input: 0, output: 0 }, most), replies };
}

/** All calls of a scenario. */
export interface ScenarioReplies extends ReplyBounds, Pick<TrialPlan, "planned" | "sequential"> {
  readonly scenario: Scenario;
}

/** A scenario whose calls share requests: one call can pay for each half of a request that cannot be used. */
export function withHalves(given: ScenarioReplies, options: EstimateOptions): CountedUsage {
  const { calls } = given.usage;
  const worst = isShared(given, options) ? calls.worst * (1 + MOST_HALVINGS) : calls.worst;
  return { ...given.usage, calls: { ...calls, worst } };
}

/**
 * Bounds the requests about the replies of all calls. Calls wait for each other until they have {@link ENOUGH_REPLIES}
 * together, so that only the last request of each process has fewer.
 */
export function sumOfReplies(given: readonly ScenarioReplies[], options: EstimateOptions): CountedUsage {
  const alone = sum(given.filter((each) => !isShared(each, options)));
  const sharing = given.filter((each) => isShared(each, options));
  const whole = sum(sharing);
  const replies = sharing.reduce((all, each) => all + each.replies, 0);
  const most = Math.min(whole.calls.most, Math.floor(replies / ENOUGH_REPLIES) + (options.share?.shard?.total ?? 1));
  const criteria = new Set(
    sharing.flatMap(({ scenario }) => judgedReplyRules(scenario).map(({ criterion }) => criterion)),
  );
  const input = most * contractOf([...criteria]) + replies * (LINE + REPLY);
  const tokens = whole.inputTokens.most;
  // halves of a request are fewer than its calls
  const shared: CountedUsage = {
    ...whole,
    calls: { least: 0, most, worst: 2 * whole.calls.worst },
    inputTokens: { least: 0, most: Number.isFinite(input) ? Math.min(tokens, input) : tokens },
  };
  return sharing.length === 0 ? alone : sumOfUsage([alone, shared]);
}

function isShared(given: ScenarioReplies, { audio, share, ...options }: EstimateOptions): boolean {
  const { models: { agent, judge = agent ?? "offline" } = {} } = options;
  return !share?.queue && sharesReplies(given, { ...options, audio }, pricedName(judge));
}

function sum(parts: readonly ScenarioReplies[]): CountedUsage {
  return sumOfUsage(parts.map(({ usage }) => usage));
}

function contractOf(criteria: readonly string[]): number {
  return CONTRACT + tokensOf(repliesSignature.instructions) + tokensOf(criteria.join(" "));
}

function judgeTries(options: EstimateOptions): number {
  return triesOf(options.models?.judge ?? options.models?.agent, options);
}
