import type { Scenario } from "../../document/scenario/mod.ts";
import type { ResultRecord } from "../store/mod.ts";
import type { Attempt } from "./attempts.ts";
import type { Bench } from "./bench.ts";
import type { Detector, Evidence } from "./detect.ts";

/** A conversation that shows a weakness. */
export interface Shown {
  readonly scenario: Scenario;
  readonly call: ResultRecord;
  readonly evidence: Evidence;
}

/** Maximum number of calls that make a conversation smaller. */
const MOST_REPLAYS = 12;

/** What a conversation is replayed with. */
export interface Replayer {
  readonly bench: Bench;
  readonly detector: Detector;
}

/**
 * Makes a conversation smaller: it is replayed without some of the caller's lines, as long as it still shows the
 * weakness. First only the last line is left, then each line is left out in turn.
 */
export async function shrink(found: Shown, attempt: Attempt, replayer: Replayer): Promise<Shown> {
  let smallest: Shown = { ...found, scenario: withLines(found.scenario, linesOf(found)) };
  let replays = 0;
  const takes = async (lines: readonly string[]): Promise<boolean> => {
    replays += 1;
    const shown = await replay(withLines(found.scenario, lines), attempt, replayer);
    if (!shown) return false;
    smallest = { ...shown, scenario: withLines(shown.scenario, linesOf(shown)) };
    return true;
  };
  const last = said(smallest).slice(-1);
  if (said(smallest).length > 1 && (await takes(last))) return smallest;
  let isSmaller = true;
  while (isSmaller && replays < MOST_REPLAYS) {
    isSmaller = false;
    for (let index = 0; index < said(smallest).length && replays < MOST_REPLAYS; index++) {
      const lines = said(smallest);
      if (lines.length < 2 || !(await takes(lines.filter((_, at) => at !== index)))) continue;
      isSmaller = true;
      index -= 1;
    }
  }
  return smallest;
}

/** Runs a conversation again; `undefined` if it does not show the weakness. */
async function replay(scenario: Scenario, attempt: Attempt, { bench, detector }: Replayer): Promise<Shown | undefined> {
  const withstands = (call: Parameters<Detector["evidenceOf"]>[1]) => detector.evidenceOf(attempt, call) === undefined;
  const [call] = await bench.run([{ scenario, withstands, criterion: attempt.criterion }]);
  const evidence = call && detector.evidenceOf(attempt, call);
  return call && evidence ? { scenario, call, evidence } : undefined;
}

/** The caller's lines up to the reply that shows the weakness. */
function linesOf({ call, evidence }: Shown): readonly string[] {
  const lines = call.transcript.flatMap(({ role, content }) => (role === "user" ? [content] : []));
  return lines.slice(0, Math.max(1, evidence.turn));
}

function said({ scenario: { says } }: Shown): readonly string[] {
  return says.filter((line) => typeof line === "string");
}

function withLines(scenario: Scenario, says: readonly string[]): Scenario {
  return {
    ...scenario,
    user_prompt: "",
    says: says.length > 0 ? says : ["Hello."],
    max_turns: Math.max(1, says.length),
  };
}
