/** What a model call may not do once for each request: it would cost more CPU time than the request itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { generated } from "../../../src/call/models/embedded.ts";
import { callModel, type TransitionInput, transitionSignature } from "../../../src/call/models/mod.ts";
import { embeddedModel } from "../../../src/call/models/model.ts";

const input = (targets: readonly string[]): TransitionInput => ({
  current_state_prompt: "Help.",
  conversation_history: [],
  last_agent_message: "",
  available_transitions: targets.map((target) => ({
    target,
    condition: "They ask",
    condition_type: "llm_prompt",
    description: "",
  })),
});
const stay = JSON.stringify({ objectives_complete: true, transition_to: "none" });

test("the requests of a call share one listener of its signal", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  const seen: (AbortSignal | undefined)[] = [];
  const model = embeddedModel("watched", async (options) => {
    seen.push(options.abortSignal);
    return generated(stay);
  });
  for (let request = 0; request < 5; request++) await callModel(model, transitionSignature, input(["b"]), { signal });
  assert.equal(listeners, 1);
  assert.equal(new Set(seen).size, 1);
});

test("a request that was aborted or late does not pass its signal on to the next one", async () => {
  const controller = new AbortController();
  const seen: AbortSignal[] = [];
  let hangs = true;
  const model = embeddedModel("hanging", async ({ abortSignal }) => {
    if (abortSignal) seen.push(abortSignal);
    return hangs ? await new Promise(() => {}) : generated(stay);
  });
  const late: (() => void)[] = [];
  const timers = {
    now: () => 0,
    pause: async () => {},
    after: (_ms: number, callback: () => void) => {
      late.push(callback);
      return () => {};
    },
  };
  const ask = () => callModel(model, transitionSignature, input(["b"]), { signal: controller.signal, timers });
  const first = ask();
  while (late.length === 0) await new Promise((resolve) => setImmediate(resolve));
  late[0]?.();
  await assert.rejects(first, { code: "model-timeout" });
  hangs = false;
  await ask();
  assert.deepEqual(
    seen.map(({ aborted }) => aborted),
    [true, false],
  );
  hangs = true;
  const last = ask();
  while (seen.length < 3) await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  await assert.rejects(last, { code: "aborted" });
  assert.deepEqual(
    seen.map(({ aborted }) => aborted),
    [true, true, true],
  );
});

test("the schema of a signature is converted once; only the choices differ between requests", () => {
  const propertiesOf = (targets: readonly string[]) => {
    const { properties } = transitionSignature.output(input(targets)).schema;
    return new Map<string, unknown>(Object.entries(typeof properties === "object" ? { ...properties } : {}));
  };
  const [one, other] = [propertiesOf(["b"]), propertiesOf(["c", "d"])];
  assert.equal(one.get("objectives_complete"), other.get("objectives_complete"));
  assert.notDeepEqual(one.get("transition_to"), other.get("transition_to"));
});
