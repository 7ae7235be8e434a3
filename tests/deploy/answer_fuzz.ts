import type { PlatformName } from "../../platforms/mod.ts";
import { isCallweaveError } from "../../src/base/errors.ts";
import { wordsWithHint } from "../../src/base/values/mod.ts";
import { WRONG, WRONG_KINDS } from "../base/http/wrong_answers.ts";
import { WORKS } from "./answer_works.ts";
import { FORMATS } from "./world.ts";
import { KEY, Wronged } from "./wronged.ts";

/** What came of wrong answers, one to a request. */
export interface AnswerFuzzReport {
  readonly answers: number;
  /** Different requests that were answered wrongly, by format. */
  readonly requests: number;
  readonly successes: readonly string[];
  /** Errors without a code and a hint, or with the key. */
  readonly rawErrors: readonly string[];
  /** Errors that do not name the platform. */
  readonly unnamed: readonly string[];
  /** Something of a wrong answer was stored. */
  readonly stored: readonly string[];
  readonly hangs: readonly string[];
  /** The same work failed after the platform answered rightly again. */
  readonly stuck: readonly string[];
}

/**
 * Answers every request of deployments and of pulling calls wrongly, in every way, for every format.
 *
 * @param step 1 for all pairs of a request and a way, 10 for every tenth of them.
 * @param workStep 1 for all works in all formats, 6 for every sixth of them.
 */
export async function fuzzAnswers(step: number, limitMs = 20_000, workStep = 1): Promise<AnswerFuzzReport> {
  const counts = { answers: 0, pair: 0 };
  const asked = new Set<string>();
  const found = { successes: [], rawErrors: [], unnamed: [], stored: [], hangs: [], stuck: [] } satisfies Record<
    string,
    string[]
  >;
  const report: { readonly [name in keyof typeof found]: string[] } = found;
  for (const { to, work } of pairs().filter((_, index) => index % workStep === 0))
    for (const request of await requestsOf(work, to))
      for (const kind of WRONG_KINDS) {
        if (counts.pair++ % step !== 0 || isRight(to, kind.name)) continue;
        const place = `${to}, ${work.name}, ${request}: ${kind.name}`;
        await using world = await Wronged.open(to);
        await work.prepare?.(world);
        world.wrong = { request, kind };
        const outcome = await within(work.run(world), limitMs);
        world.wrong = undefined;
        if (!world.isHit) continue;
        counts.answers++;
        asked.add(`${to} ${request}`);
        if (outcome === "hang") report.hangs.push(place);
        else if (outcome === "success") report.successes.push(place);
        else check(outcome, world.platform, (name, what) => report[name].push(`${place}: ${what}`));
        if ((await world.files()).includes(WRONG)) report.stored.push(place);
        const again = await within(work.run(world), limitMs);
        if (again !== "success") report.stuck.push(`${place}: ${again instanceof Error ? again.message : again}`);
      }
  return { ...report, answers: counts.answers, requests: asked.size };
}

/** Platforms whose calls the world of the tests answers; the readers of others have tests of their own. */
const HAS_CALLS = /^(?:elevenlabs|retell|vapi)/;

/** Some of Bland's own answers are in an envelope. */
const isRight = (to: string, kind: string) => to === "bland" && kind === "in an envelope";

/** Each work in each format, or once for a platform. */
function pairs() {
  return FORMATS.flatMap((formats) =>
    formats.flatMap((to, index) =>
      WORKS.filter(({ by }) => by === "format" || (index === 0 && HAS_CALLS.test(to))).map((work) => ({ to, work })),
    ),
  );
}

async function requestsOf(work: (typeof WORKS)[number], to: Wronged["to"]): Promise<readonly string[]> {
  await using world = await Wronged.open(to);
  await work.prepare?.(world);
  world.requests.length = 0;
  await work.run(world);
  return [...new Set(world.requests)];
}

async function within(work: Promise<unknown>, limitMs: number): Promise<Error | "success" | "hang"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"hang">((resolve) => {
    timer = setTimeout(() => resolve("hang"), limitMs);
  });
  const done = work.then(
    () => "success" as const,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  return await Promise.race([done, late]).finally(() => clearTimeout(timer));
}

function check(
  error: Error,
  platform: PlatformName,
  note: (list: "rawErrors" | "unnamed", what: string) => void,
): void {
  const isTyped = isCallweaveError(error) && error.hint !== "" && !error.message.includes("undefined");
  if (!isTyped) note("rawErrors", error.message);
  if (`${wordsWithHint(error)}${error.stack}`.includes(KEY)) note("rawErrors", "the key is in the error");
  if (!/bland|retell|telnyx|vapi|elevenlabs|platform\.test/i.test(error.message))
    note("unnamed", `${platform}: ${error.message}`);
}
