import process from "node:process";
import { connect } from "../../../api/connect.ts";
import { scenario } from "../../../dsl/mod.ts";
import { isRecord } from "../../../src/base/values/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";

/** A run, and when its process is killed. */
export interface WaitingRun {
  readonly db: string;
  readonly calls: number;
  /** Kills itself in the call of this number, once so many calls are kept. Absent: it ends. */
  readonly killIn?: { readonly call: number; readonly kept: number };
  readonly resume?: string;
}

/** What happens in it, in order. */
export type WaitingEvent =
  | { readonly run: string }
  /** The agent hears the first line of a call. */
  | { readonly held: string }
  /** Number of replies in a request to the judge. */
  | { readonly judged: number }
  /** Number of calls that are still kept. */
  | { readonly left: number; readonly results: readonly object[] };

const LINES = 4;

/** Runs calls that wait for each other's replies. */
export async function runWaiting(given: WaitingRun, say: (event: WaitingEvent) => void): Promise<void> {
  const { db, calls, killIn, resume } = given;
  await using store = await openStore(db);
  let runId = "";

  const agent = connect.custom({
    name: "desk",
    agent: async (messages) => {
      const said = messages.at(-1)?.content ?? "";
      if (said.startsWith("line 1")) say({ held: said });
      if (killIn && said === `line ${LINES} of ${killIn.call}`) {
        while ((await store.unjudgedCalls(runId)).length < killIn.kept)
          await new Promise((next) => setTimeout(next, 5));
        process.kill(process.pid, "SIGKILL");
        await new Promise(() => {});
      }
      return said.endsWith("3") ? "What do you want?" : `Of course: ${said}.`;
    },
  });
  const ruling = (input: unknown) => {
    if (!isRecord(input) || !Array.isArray(input.replies)) throw new TypeError("replies expected");
    say({ judged: input.replies.length });
    return {
      rulings: input.replies.map((each: { number: number; reply: string }) => ({
        ...{ reply: each.number, criterion: 1, quote: each.reply, reasoning: "" },
        met: each.reply !== "What do you want?",
      })),
    };
  };
  const scenarios = Array.from({ length: calls }, (_, call) =>
    scenario(`call ${call + 1}`)
      .says(...Array.from({ length: LINES }, (_, line) => `line ${line + 1} of ${call + 1}`))
      .eachReply("is courteous", { atLeast: 1 })
      .eachReply.words(40),
  );
  const report = await run(agent, scenarios, {
    models: { judge: scripted({ replies: Array.from({ length: 100 }, () => ruling) }) },
    store,
    limits: { concurrency: 1 },
    share: { codeVersion: "1", ...(resume ? { resume } : {}) },
    listeners: {
      onProgress: (event) => {
        if (event.kind !== "run-start") return;
        runId = event.id;
        say({ run: runId });
      },
    },
  });
  const left = await store.unjudgedCalls(runId);
  say({
    left: left.length,
    results: report.results.map(({ scenario, trial, attempt, status, transcript, checks, verdicts }) => ({
      ...{ scenario, trial, attempt, status, checks, verdicts },
      said: transcript.map(({ role, content }) => [role, content]),
    })),
  });
}
