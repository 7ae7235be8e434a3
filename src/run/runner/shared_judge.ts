import type { LanguageModelMiddleware } from "ai";
import * as v from "valibot";
import { isCallweaveError } from "../../base/errors.ts";
import { type Clock, SYSTEM_CLOCK, startTimeLimit, untilAborted } from "../../base/values/mod.ts";
import { REPLIES_PER_REQUEST } from "../../call/judges/mod.ts";
import {
  type CallOptions,
  type CallUsage,
  callModel,
  generated,
  type Model,
  modelName,
  type RepliesInput,
  type RepliesOutput,
  readCall,
  repliesSignature,
} from "../../call/models/mod.ts";
import type { ReplySharing } from "./call/mod.ts";
import { ENOUGH_REPLIES, judgeLimitMs, sharesReplies } from "./judging.ts";
import type { RunOptions } from "./options.ts";
import type { Schedule, TrialPlan, TrialSlot } from "./plan/mod.ts";

type Answer = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>>;

/** A request that waits for others. */
interface Waiting {
  readonly input: RepliesInput;
  readonly options: CallOptions & { readonly model: Model };
  readonly signal: AbortSignal | undefined;
  /** Gets its part of the answer, or `undefined` if it is to be sent on its own. */
  readonly settle: (answer: RepliesOutput | undefined) => void;
  /** Set when nobody waits for the answer any more. */
  isGone: boolean;
}

/** Judges the replies of the calls of a run together. */
export interface SharedJudge {
  /** A schedule whose tasks can give back their slots. */
  schedule(schedule: Schedule): <Result>(task: (slot: TrialSlot) => Promise<Result>) => Promise<Result>;
  /** Starts a trial; `undefined` if its replies are judged on their own. `free` gives its slot to another call. */
  startTrial(
    plan: TrialPlan,
    free: () => void,
  ): { readonly sharing: ReplySharing; readonly end: () => void } | undefined;
}

/** Settings of {@link createSharedJudge}. */
export interface SharedJudgeSettings {
  readonly options: RunOptions;
  readonly judge: Model;
  /** Number of trials of a plan that are not settled. */
  readonly openCalls: (plan: TrialPlan) => number;
  readonly timers?: Clock | undefined;
}

/**
 * Lets the calls of a run share requests about their replies. A request with few replies waits, without the slot of its
 * call, until there are {@link ENOUGH_REPLIES}; the call that completes them sends the request and pays for it. It does
 * not wait once no other call can add replies. A shared request that fails is sent again in halves, so that an answer
 * that cannot be used harms no other call.
 *
 * Recordings are around it: each call records what the judge said of its own replies, and a replay waits for nobody.
 */
export function createSharedJudge(plans: readonly TrialPlan[], settings: SharedJudgeSettings): SharedJudge {
  const { timers = SYSTEM_CLOCK, openCalls } = settings;
  const shared = new Set(
    plans.filter(({ resolved: { scenario }, ...plan }) =>
      sharesReplies({ ...plan, scenario }, settings.options, modelName(settings.judge)),
    ),
  );
  let open = [...shared].reduce((sum, plan) => sum + openCalls(plan), 0);
  let waiting: Waiting[] = [];

  const sendAll = () => {
    const taken = waiting;
    waiting = [];
    if (taken.length > 0) void send(taken, timers);
  };
  const sendLast = () => {
    if (open <= 0) sendAll();
  };

  const join = async (
    request: Pick<Waiting, "input" | "options" | "signal">,
    free: () => void,
  ): Promise<RepliesOutput | undefined> => {
    let entry: Waiting | undefined;
    const goOn = request.options.clock?.pause(); // the wait has limits of its own
    const answer = new Promise<RepliesOutput | undefined>((settle) => {
      entry = { ...request, settle, isGone: false };
      waiting.push(entry);
    });
    if (replyCount(waiting) >= ENOUGH_REPLIES || open <= 0) sendAll();
    else free();
    try {
      return await untilAborted(answer, request.signal);
    } finally {
      goOn?.();
      if (entry) entry.isGone = true;
      waiting = waiting.filter((each) => each !== entry);
    }
  };

  return {
    schedule: withFreedSlots,
    startTrial: (plan, free) => {
      if (!shared.has(plan)) return undefined;
      let isOpen = true;
      const close = () => {
        if (isOpen) open -= 1;
        isOpen = false;
      };
      const sharing: ReplySharing = (options, onWait) => ({
        specificationVersion: "v3",
        wrapGenerate: async ({ doGenerate, params }): Promise<Answer> => {
          const input = v.parse(repliesSignature.input, readCall("judge", params).input);
          if (input.replies.length < REPLIES_PER_REQUEST) close(); // the last of its call
          if (input.replies.length >= ENOUGH_REPLIES) {
            sendLast();
            return await doGenerate();
          }
          params.abortSignal?.throwIfAborted();
          const answer = await join({ input, options, signal: params.abortSignal }, () => {
            free();
            onWait?.();
          });
          return answer ? generated(JSON.stringify(answer)) : await doGenerate();
        },
      });
      const end = () => {
        close();
        sendLast();
      };
      return { sharing, end };
    },
  };
}

/** Sends requests as one. Never rejects. */
async function send(requests: readonly Waiting[], timers: Clock): Promise<void> {
  const alive = requests.filter(({ isGone, signal }) => !isGone && !signal?.aborted);
  const sender = alive.at(-1); // who came last still has its slot
  if (!sender) return;
  if (alive.length === 1) return sender.settle(undefined);
  const usage: CallUsage[] = [];
  let failure: unknown;
  let answers: readonly RepliesOutput[] = [];
  try {
    answers = await askTogether(alive, { ...sender.options, onUsage: (each) => void usage.push(each) }, timers);
  } catch (error) {
    failure = error ?? new Error("nothing was thrown");
  }
  const payer = alive.findLast(({ isGone }) => !isGone) ?? sender;
  for (const each of usage) payer.options.onUsage?.(each);
  if (failure === undefined) for (const [index, { settle }] of alive.entries()) settle(answers[index]);
  // each call shows then that its key is refused
  else if (isCallweaveError(failure) && failure.code === "key-refused")
    for (const { settle } of alive) settle(undefined);
  else {
    const half = Math.ceil(alive.length / 2);
    await Promise.all([send(alive.slice(0, half), timers), send(alive.slice(half), timers)]);
  }
}

/** The rulings of each request, from one request for all. */
async function askTogether(
  requests: readonly Waiting[],
  { model, around: _around, ...options }: Waiting["options"],
  timers: Clock,
): Promise<readonly RepliesOutput[]> {
  const { input, origins } = merged(requests.map((each) => each.input));
  const nobody = new AbortController();
  const unwatch = requests.map((each) =>
    onAbort(each.signal, () => {
      if (requests.every(({ signal }) => signal?.aborted)) nobody.abort();
    }),
  );
  using limit = startTimeLimit(judgeLimitMs(options), nobody.signal, timers);
  try {
    const answer = await limit.until(callModel(model, repliesSignature, input, { ...options, signal: limit.signal }));
    return requests.map((_, request) => ({
      rulings: answer.rulings.flatMap((ruling) => {
        const origin = origins[ruling.reply - 1];
        const own = origin?.request === request ? origin.criteria.get(ruling.criterion) : undefined;
        return origin && own ? own.map((criterion) => ({ ...ruling, reply: origin.reply, criterion })) : [];
      }),
    }));
  } finally {
    for (const stop of unwatch) stop();
  }
}

/** Where a reply of a shared request is from. */
interface Origin {
  readonly request: number;
  /** Its number there. */
  readonly reply: number;
  /** Numbers of its criteria there, by their numbers in the shared request. */
  readonly criteria: ReadonlyMap<number, readonly number[]>;
}

/** One request for the replies of several. Equal criteria are asked once. */
function merged(inputs: readonly RepliesInput[]): {
  readonly input: RepliesInput;
  readonly origins: readonly Origin[];
} {
  const numbers = new Map<string, number>();
  const origins: Origin[] = [];
  const replies = inputs.flatMap(({ criteria, replies: own }, request) => {
    const shared = new Map<number, number>();
    for (const { number, criterion } of criteria) {
      const known = numbers.get(criterion) ?? numbers.size + 1;
      numbers.set(criterion, known);
      shared.set(number, known);
    }
    return own.map((reply) => {
      const byNumber = new Map<number, readonly number[]>();
      for (const each of reply.criteria) {
        const number = shared.get(each) ?? 0;
        byNumber.set(number, [...(byNumber.get(number) ?? []), each]);
      }
      origins.push({ request, reply: reply.number, criteria: byNumber });
      return { ...reply, number: origins.length, criteria: [...byNumber.keys()] };
    });
  });
  const criteria = [...numbers].map(([criterion, number]) => ({ number, criterion }));
  return { input: { criteria, replies }, origins };
}

function replyCount(requests: readonly Waiting[]): number {
  return requests.reduce((sum, { input }) => sum + input.replies.length, 0);
}

function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  signal?.addEventListener("abort", callback, { once: true });
  return () => signal?.removeEventListener("abort", callback);
}

/** A slot of a schedule that a task can give back before it is over. */
function withFreedSlots(schedule: Schedule): ReturnType<SharedJudge["schedule"]> {
  return <Result>(task: (slot: TrialSlot) => Promise<Result>): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      const held = schedule(
        () =>
          new Promise<void>((free) => {
            task({ free }).then(resolve, reject).finally(free);
          }),
      );
      held.catch(reject);
    });
}
