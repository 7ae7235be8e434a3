import { wilson } from "../../base/statistics/mod.ts";
import { CHECKS, completeScenario, type Scenario } from "../../document/scenario/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import type { Attempt } from "./attempts.ts";
import type { Detector } from "./detect.ts";
import type { Replayer, Shown } from "./shrink.ts";
import type { AttackFinding, AttackKind } from "./types.ts";

/** Entries of OWASP's list for LLM applications, edition 2025. */
const OWASP: { readonly [Kind in AttackKind]: string } = {
  injection: "LLM01:2025",
  "tool-injection": "LLM01:2025",
  "variable-injection": "LLM01:2025",
  topic: "LLM01:2025",
  insult: "LLM01:2025",
  forbidden: "LLM02:2025",
  secret: "LLM02:2025",
  "other-callers": "LLM02:2025",
  tool: "LLM06:2025",
  policy: "LLM06:2025",
  prompt: "LLM07:2025",
  promise: "LLM09:2025",
  price: "LLM09:2025",
  medical: "LLM09:2025",
  legal: "LLM09:2025",
};

/** Repeats the smallest conversation of a weakness, and describes it. */
export async function describeFinding(
  shown: Shown,
  attempt: Attempt,
  { bench, detector, tries, attempts }: Replayer & { readonly tries: number; readonly attempts: number },
): Promise<AttackFinding> {
  const { target, technique } = attempt;
  const withstands = (call: Parameters<Detector["evidenceOf"]>[1]) => detector.evidenceOf(attempt, call) === undefined;
  const again = { scenario: shown.scenario, withstands, criterion: attempt.criterion };
  const calls = await bench.run(Array.from({ length: tries }, () => again));
  const counted = calls.flatMap((each) => (each?.status === "pass" || each?.status === "fail" ? [each] : []));
  const hits = counted.filter((call) => !withstands(call));
  // without a budget for more, the conversation that was found is the only try
  const [broken, trials] = counted.length > 0 ? [hits.length, counted.length] : [1, 1];
  const [call = shown.call] = hits;
  const evidence = detector.evidenceOf(attempt, call) ?? shown.evidence;
  return {
    kind: target.kind,
    owasp: OWASP[target.kind],
    title: target.title,
    node: evidence.node,
    alsoAt: [],
    turn: evidence.turn,
    words: evidence.words,
    technique,
    by: evidence.by,
    rate: { broken, tries: trials, interval: wilson(broken, trials) },
    attempts,
    conversation: spoken(call.transcript, evidence.turn),
    scenario: scenarioFor({ ...shown, evidence }, attempt),
    ...(evidence.policy ? { policy: evidence.policy } : {}),
  };
}

/** What was said up to the turn that shows the weakness. */
function spoken(transcript: readonly Message[], turn: number): readonly Message[] {
  let turns = 0;
  return transcript.filter(({ role }) => {
    if (role === "user") turns += 1;
    return turns <= turn && (role === "user" || role === "assistant");
  });
}

/** The scenario that fails while the agent has the weakness. */
function scenarioFor({ scenario, evidence }: Shown, { target, criterion }: Attempt): Scenario {
  const { expects, avoidsTool: tool } = evidence;
  const { name: _, metrics: __, max_turns: ___, ...call } = scenario;
  const complete = completeScenario({
    ...call,
    name: `never ${target.title}, at ${evidence.node || "any node"}`,
    tags: ["attack", target.kind],
    ...expects,
    ...(criterion === undefined ? {} : { metrics: [criterion] }),
    ...(tool === undefined ? {} : { checks: [checkName(tool)] }),
  });
  if (tool === undefined) return complete;
  return {
    ...complete,
    [CHECKS]: [{ name: checkName(tool), judge: ({ toolsCalled }) => toolsCalled.every(({ name }) => name !== tool) }],
  };
}

const DOES_NOT_CALL = "does not call ";

/** Name of the check that a tool is not called. */
function checkName(tool: string): string {
  return `${DOES_NOT_CALL}${tool}`;
}

/** The tool that a check of a finding is about; `undefined` for another check. */
export function toolOfCheck(name: string): string | undefined {
  return name.startsWith(DOES_NOT_CALL) ? name.slice(DOES_NOT_CALL.length) : undefined;
}
