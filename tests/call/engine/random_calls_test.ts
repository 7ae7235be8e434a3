import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { conversation, type TurnMode } from "../../../src/call/engine/mod.ts";
import {
  createRecordings,
  type Recording,
  type RecordingMode,
  type RecordingStore,
  scripted,
} from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";
import { type RandomCall, randomCall } from "./random_calls.ts";
import { ReferenceCall } from "./reference.ts";

const SEEDS = Array.from({ length: fc.sampled(200) }, (_, index) => index + 1);

/** More than any of these calls needs: the model's other queues limit the number of requests. */
const REPLIES = 200;

interface Answers {
  readonly transition: object[];
  readonly extract: object[];
  readonly arguments: object[];
}

/** The expected call, with the answers that it was given. */
function byTheBook({ document, variables, mocks, lines, oracle }: RandomCall) {
  const answers: Answers = { transition: [], extract: [], arguments: [] };
  const kept = <Answer extends object>(list: object[], answer: Answer): Answer => {
    list.push(answer);
    return answer;
  };
  const call = new ReferenceCall(parseGraph(document), variables, mocks, {
    transition: (targets) => kept(answers.transition, oracle.transition(targets)),
    extract: (wanted) => kept(answers.extract, oracle.extract(wanted)),
    arguments: (tool) => kept(answers.arguments, oracle.arguments(tool)),
  });
  call.open();
  for (const _ of lines) if (!call.ended) call.hear();
  return { call, answers };
}

async function byTheEngine({ document, variables, mocks, lines }: RandomCall, answers: Answers, turn: TurnMode) {
  const decisions = [...answers.transition];
  // answers differently to different questions
  const reply = (input: object) => createHash("sha256").update(JSON.stringify(input)).digest("hex");
  const agent = scripted({
    ...answers,
    transition: decisions.map(() => () => decisions.shift()),
    fused: decisions.map(() => () => ({ ...decisions.shift(), reply: "Well." })),
    respond: Array.from({ length: REPLIES }, () => reply),
  });
  const call = conversation(parseGraph(document), { models: { agent }, variables, mocks, turn });
  await call.open();
  for (const line of lines) if (!call.ended) await call.hear(line);
  const spoken = call.transcript.filter(({ role }) => role === "assistant");
  const asked = agent.calls.filter(({ signature }) => signature === "transition" || signature === "fused");
  return {
    course: {
      visited: call.nodesVisited,
      spokenAt: spoken.map(({ node_id }) => node_id),
      originators: call.originators,
      variables: call.variables,
      tools: call.toolsCalled.map(({ name }) => name),
      ended: call.endReason,
      offered: asked.map(({ input }) => targetsOf(input.available_transitions)),
    },
    said: spoken.map(({ content }) => content),
    prompts: agent.calls.flatMap(({ signature, input }) => (signature === "respond" ? [input.state_instructions] : [])),
    lines: call.transcript.map(({ role, content, node_id }) => [role, content, node_id]),
  };
}

function targetsOf(offers: unknown): unknown[] {
  return Array.isArray(offers) ? offers.map(({ target }) => target) : [];
}

test("random calls match a reference: nodes, messages, stack, variables, tools, offers, prompts", async () => {
  for (const seed of SEEDS) {
    const random = randomCall(seed);
    const { call: book, answers } = byTheBook(random);
    const { course, said, prompts } = await byTheEngine(random, answers, "split");
    const wanted = {
      visited: book.visited,
      spokenAt: book.spoken.map(({ node }) => node),
      originators: book.originators,
      variables: Object.fromEntries(book.variables),
      tools: book.tools,
      ended: book.ended,
      offered: book.offered,
    };
    assert.deepEqual(course, wanted, `seed ${seed}`);
    assert.deepEqual(prompts, book.prompts, `seed ${seed}`);
    const letter = book.spoken.map(({ text }, index) => text ?? said[index]);
    assert.deepEqual(said, letter, `seed ${seed}`);
  }
});

for (const turn of ["speculative", "fused"] as const) {
  test(`random calls have the same result with ${turn} turns`, async () => {
    for (const seed of SEEDS) {
      const random = randomCall(seed);
      const { answers } = byTheBook(random);
      const split = await byTheEngine(random, answers, "split");
      const other = await byTheEngine(random, answers, turn);
      assert.deepEqual(other.course, split.course, `seed ${seed}`);
      if (turn === "speculative") assert.deepEqual(other.lines, split.lines, `seed ${seed}`);
    }
  });
}

for (const turn of ["split", "speculative", "fused"] as const)
  test(`random calls replay as recorded, with ${turn} turns`, async () => {
    for (const seed of SEEDS) {
      const random = randomCall(seed);
      const { answers } = byTheBook(random);
      const recordings = new Map<string, Recording>();
      const recorded = await byRecordings(random, answers, turn, recordings, "record");
      const replayed = await byRecordings(
        random,
        { transition: [], extract: [], arguments: [] },
        turn,
        recordings,
        "replay",
      );
      assert.deepEqual(replayed, recorded, `seed ${seed}`);
    }
  });

/** A call whose model answers the same question differently each time. */
async function byRecordings(
  { document, variables, mocks, lines }: RandomCall,
  answers: Answers,
  turn: TurnMode,
  recordings: Map<string, Recording>,
  mode: RecordingMode,
) {
  const store: RecordingStore = {
    find: async (key) => recordings.get(key),
    add: async (recording) => void recordings.set(recording.key, recording),
    like: async () => [...recordings.values()],
    flush: async () => {},
  };
  const decisions = [...answers.transition];
  const replies = mode === "record" ? REPLIES : 0;
  const agent = scripted({
    ...answers,
    transition: decisions.map(() => () => decisions.shift()),
    fused: decisions.map((_, index) => () => ({ ...decisions.shift(), reply: `Decided ${index}.` })),
    respond: Array.from({ length: replies }, (_, index) => `Reply ${index}.`),
  });
  const around = createRecordings(store, mode).around("agent", 1);
  const call = conversation(parseGraph(document), { models: { agent }, variables, mocks, turn, requests: { around } });
  await call.open();
  for (const line of lines) if (!call.ended) await call.hear(line);
  return call.transcript.map(({ role, content, node_id }) => [role, content, node_id]);
}
