import { performance } from "node:perf_hooks";
import process from "node:process";
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { readCall } from "../../src/call/models/embedded.ts";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { type RunReport, run } from "../../src/run/runner/mod.ts";
import { seeded } from "../../tests/platforms/mutate.ts";
import { type Figure, sized } from "../figure.ts";
import { type AnswerCase, answerCase, BOOKED, callerSays, GOOD, goodVerdicts, WISH } from "./answer_cases.ts";
import { type FuzzAnswer, THOUGHT } from "./answer_mutations.ts";

const CASES = sized(2_400, 120);
const BATCH = sized(200, 20);
/** How long the answers to a batch may take of the processor, and may be waited for: nothing in it has to wait. */
const BUSY_MS = 120_000;
const IDLE_MS = 10_000;
const HANG_MS = 30_000;
const MODES = ["split", "speculative", "fused"] as const;

const llm = (target_node_id: string) => ({ target_node_id, condition: { type: "llm_prompt", value: "As it is" } });
const graph = parseGraph({
  entry_node_id: "ask",
  source_metadata: {},
  nodes: {
    ask: { state_prompt: "Ask what they want.", transitions: [llm("collect"), llm("bye")] },
    collect: {
      node_type: "extract",
      variables_to_extract: [
        { name: "plan", description: "", type: "enum", choices: ["basic", "gold"] },
        { name: "count", description: "", type: "number" },
      ],
      transitions: [
        {
          target_node_id: "look",
          condition: { type: "equation", equations: [{ left: "plan", operator: "==", right: "gold" }] },
        },
        { target_node_id: "bye", condition: { type: "always" } },
      ],
    },
    look: {
      node_type: "function",
      tools: [
        { name: "look", description: "", parameters: { type: "object", properties: { id: { type: "string" } } } },
      ],
      transitions: [{ target_node_id: "tell", condition: { type: "tool_call", outcome: "succeeded" } }],
    },
    tell: { state_prompt: "Tell them.", transitions: [llm("bye")] },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
  },
});

const scenarioOf = ({ number }: AnswerCase) => ({
  name: `case ${number}`,
  user_prompt: `case ${number}`,
  tool_mocks: [{ tool_name: "look", input_match_rule: { type: "any" as const }, output: "{}", result: true }],
  metrics: [{ criterion: `case ${number} is booked`, threshold: 0.7 }],
  includes: ["gold plan is booked"],
  visits: ["collect", "look", "tell", "bye"],
  extracts: { plan: "gold", count: "3" },
  calls: [{ tool: "look", args: { id: "42" } }],
  max_turns: 4,
});

/** For calls that are repeated in a scenario, the answer to the one that the scenario depends on. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["transition", '"collect"'],
  ["respond", BOOKED],
  ["caller", WISH],
]);

/** A model that answers every call correctly, except the one that a case damages; the request identifies the case. */
function fuzzModel(cases: ReadonlyMap<number, AnswerCase>): LanguageModelV3 {
  const damaged = new Set<number>();
  const answer = (options: LanguageModelV3CallOptions): FuzzAnswer => {
    const { signature, input } = readCall("fuzz", options);
    const asked = JSON.stringify(input);
    const number = Number(/case (\d+)/i.exec(asked)?.[1]);
    const found = cases.get(number);
    const good = goodAnswer(signature, asked, number);
    const call = signature === "fused" ? "transition" : signature;
    const isMeant = good.includes(MEANT.get(call) ?? "");
    if (!found || found.call !== call || !isMeant || (damaged.has(number) && !found.always))
      return { text: good, finish: "stop" };
    damaged.add(number);
    return found.mutation.answer;
  };
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const finishReason = (finish: FuzzAnswer["finish"]) =>
    finish === "none" ? { unified: "other" as const, raw: undefined } : { unified: finish, raw: finish };
  return {
    specificationVersion: "v3",
    provider: "fuzz",
    modelId: "fuzz",
    supportedUrls: {},
    doGenerate: async (options) => {
      const { text, finish } = answer(options);
      if (finish === "none") throw new TypeError("terminated"); // like fetch
      return { content: [{ type: "text", text }], finishReason: finishReason(finish), usage, warnings: [] };
    },
    doStream: async (options) => {
      const { text, finish } = answer(options);
      const deltas = text.match(/[\s\S]{1,7}/g)?.slice(0, 500) ?? [];
      const rest = text.slice(deltas.join("").length);
      const parts: LanguageModelV3StreamPart[] = [
        { type: "stream-start", warnings: [] },
        ...[...deltas, rest].map((delta) => ({ type: "text-delta" as const, id: "0", delta })),
        { type: "finish", finishReason: finishReason(finish), usage },
      ];
      const isSilent = finish === "none" && text.length % 2 === 0; // some providers end without a finish part
      return { stream: streamOf(isSilent ? parts.slice(0, -1) : parts) };
    },
  };
}

function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

function goodAnswer(signature: string, asked: string, number: number): string {
  if (signature === "transition" || signature === "fused") {
    const wishes = asked.includes(WISH) && asked.includes('"collect"');
    const done = asked.includes("That is all.");
    const transition_to = done && !wishes ? "bye" : wishes ? "collect" : "none";
    return JSON.stringify({ ...GOOD.transition, transition_to });
  }
  if (signature === "extract") return JSON.stringify(GOOD.extract);
  if (signature === "arguments") return JSON.stringify(GOOD.arguments);
  if (signature === "judge") return JSON.stringify(goodVerdicts(number, 1));
  if (signature === "caller") return JSON.stringify(callerSays(number, asked.includes(BOOKED) ? "That is all." : WISH));
  return asked.includes("Tell them.") ? BOOKED : "All right.";
}

/** Whether a case's scenario may pass, given the damage. */
function mayPass({ mutation, always }: AnswerCase): boolean {
  return mutation.meaning === "same" || mutation.meaning === "forged" || (mutation.meaning === "unusable" && !always);
}

type Result = RunReport["results"][number];

/** Whether a result claims more than the answer supports. */
function isWrong(one: AnswerCase, { status, verdicts, transcript }: Result): boolean {
  const heard = transcript.filter(({ role }) => role === "assistant").map(({ content }) => content);
  const isLeak = heard.some((text) => text.includes(THOUGHT) || text.includes('{"event"'));
  const isForged = one.mutation.meaning === "forged" && verdicts.some(({ evidenceFound }) => evidenceFound !== false);
  return isLeak || (status === "pass" && (!mayPass(one) || isForged));
}

/** Whether an error is one of Callweave's own typed errors. */
function isRaw({ errorMessage: message }: Result): boolean {
  return message !== null && !/^(?:Cannot |The agent's model is stuck)/.test(message);
}

/** Tells whether the work since was slow for its own part: other processes of the machine make calls long, too. */
function stopwatch(): () => boolean {
  const [busy, idle] = [process.cpuUsage(), performance.eventLoopUtilization()];
  return () => {
    const { user, system } = process.cpuUsage(busy);
    return (user + system) / 1000 > BUSY_MS || performance.eventLoopUtilization(idle).idle > IDLE_MS;
  };
}

/** Damages the answers of models in every way that servers and small models do, and checks the results. */
export async function fuzzModelAnswers(): Promise<readonly Figure[]> {
  const random = seeded(11);
  let [crashes, hangs, wrong, lost, refused] = [0, 0, 0, 0, 0];
  for (let from = 0; from < CASES; from += BATCH) {
    const cases = new Map(
      Array.from({ length: BATCH }, (_, index) => [from + index, answerCase(from + index, random)]),
    );
    const streams = (from / BATCH) % 2 === 1;
    const isSlow = stopwatch();
    try {
      const { results } = await run(graph, [...cases.values()].map(scenarioOf), {
        models: { agent: fuzzModel(cases) },
        store: false,
        turn: MODES[(from / BATCH) % MODES.length] ?? "split",
        requests: { retry: { minDelayMs: 0, maxDelayMs: 0 } },
        ...(streams ? { listeners: { onToken: () => {} } } : {}),
      });
      lost += cases.size - results.length;
      const hasHangs = isSlow();
      for (const result of results) {
        const one = cases.get(Number(result.scenario.slice(5)));
        if (!one) continue;
        if (isRaw(result)) crashes += 1;
        if (hasHangs && result.durationMs > HANG_MS) hangs += 1;
        if (isWrong(one, result)) wrong += 1;
        if (mayPass(one) && result.status !== "pass") refused += 1;
      }
    } catch (error) {
      crashes += 1;
      lost += cases.size;
      console.error(error);
    }
  }
  const against = `${CASES} scenarios, in each a damaged answer to one of six kinds of calls, in three turn modes`;
  const figure = (name: string, value: number, bound?: number): Figure => ({
    name: `model_answers_${name}`,
    value,
    unit: "answers",
    against,
    ...(bound === undefined ? {} : { bound }),
  });
  return [
    figure("documents", CASES),
    figure("crashes", crashes, 0),
    figure("hangs", hangs, 0),
    figure("wrong_passes", wrong, 0),
    figure("lost_results", lost, 0),
    figure("usable_but_refused", refused, 0),
  ];
}
