import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { StudioError } from "../../../../src/base/errors.ts";
import { parseScenarios } from "../../../../src/document/scenario/mod.ts";
import { run } from "../../../../src/run/runner/mod.ts";
import { trialHolder } from "../../../../src/surface/cli/studio/start_trial.ts";
import { exportedScenarios, loadSource } from "../../../../src/surface/project/mod.ts";
import { createStudioClient, type StudioClient, type StudioTrial } from "../../../../src/surface/studio/api/mod.ts";
import type { StudioData } from "../../../../src/surface/studio/data/mod.ts";
import { createTrials } from "../../../../src/surface/studio/server/trials.ts";
import { fits } from "../_fits.ts";
import { withStudio } from "../_studio.ts";

const SLOW = { timeout: 180_000 };
const MOD = pathToFileURL(join(import.meta.dirname ?? ".", "../../../../mod.ts")).href;
const DESK = `import { flow, scenario } from ${JSON.stringify(MOD)};
export const desk = flow("desk")
  .conversation("greet", {
    prompt: "Say that the shop is closed.",
    next: ({ to }) => [to("bye", "Caller says goodbye")],
  })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
export const scenarios = [
  scenario("hears when the shop opens", desk).says("When do you open?", "Thank you, goodbye.").includes("nine o'clock"),
  scenario("comes to the end", desk).says("Hello?", "Goodbye.").visits("greet", "bye"),
];
`;
const OPENS = { greet: "Say that the shop opens at nine o'clock." };

async function ended(studio: StudioClient, { id }: StudioTrial): Promise<StudioTrial> {
  for (;;) {
    const trial = await studio.trial({ trial: id });
    fits("trial", trial);
    if (trial.state !== "running") return trial;
    await setTimeout(20);
  }
}

/** A studio with a desk, and the calls of a run of it; the first one has failed. */
async function withDesk(body: (studio: StudioClient, calls: readonly string[], data: StudioData) => Promise<void>) {
  const question = { path: "", exportName: undefined, format: undefined, scenarioFiles: [] as string[] };
  const calls: string[] = [];
  await withStudio(async ({ address, data }) => await body(createStudioClient({ url: address }), calls, data), {
    before: async ({ store }, folder) => {
      question.path = join(folder, "desk.ts");
      await writeFile(question.path, DESK);
      const reader = { env: {}, input: async () => "", warn: () => {} };
      const { graph, exports } = await loadSource(question.path, reader);
      const report = await run(graph, parseScenarios(exportedScenarios(exports)), { store, name: "desk" });
      calls.push(...report.results.map(({ id }) => id));
      assert.deepEqual(
        report.results.map(({ status }) => status),
        ["fail", "pass"],
      );
    },
    question,
    holdTrial: async (work, options) => await trialHolder(question, undefined)(work, options),
  });
}

test("another prompt is tried on stored calls: verdicts of both versions, and where they diverge", SLOW, () =>
  withDesk(async (studio, calls, data) => {
    const before = (await studio.runs({})).items.length;
    const started = await studio.startTrial({ agent: "desk", prompts: OPENS, calls: [...calls] });
    fits("startTrial", started);
    assert.deepEqual([started.state, started.total], ["running", 4]);
    const trial = await ended(studio, started);
    assert.deepEqual([trial.state, trial.done, trial.error], ["done", 4, null]);
    assert.deepEqual(
      trial.calls.map(({ call, was, original, edited }) => [call, was, original.verdict, edited.verdict]),
      [
        [calls[0], "fail", "fail", "pass"],
        [calls[1], "pass", "pass", "pass"],
      ],
    );
    assert.match(trial.calls[0]?.original.failures[0] ?? "", /nine o'clock/);
    const said = (side: "original" | "edited") =>
      trial.calls[0]?.[side].transcript.filter(({ role }) => role === "user").map(({ content }) => content);
    assert.deepEqual(
      [said("original"), said("edited")],
      [said("edited"), ["When do you open?", "Thank you, goodbye."]],
    );
    assert.equal((await studio.runs({})).items.length, before, "nothing is stored");
    assert.ok(data);

    const wrong = { agent: "desk", prompts: OPENS };
    await assert.rejects(studio.startTrial({ ...wrong, calls: ["none"] }), { code: "unknown-call" });
    await assert.rejects(studio.startTrial({ ...wrong, scenario: "none", repeats: 1 }), { code: "unknown-target" });
    await assert.rejects(studio.startTrial({ ...wrong, calls: [] }), { code: "invalid-request" });
    const both = { agent: "desk", prompts: OPENS, calls: ["a"], repeats: 3 };
    await assert.rejects(studio.startTrial(both), { code: "invalid-request", message: /has "repeats"/ });
    await assert.rejects(studio.startTrial({ ...wrong, prompts: { none: "" }, calls: [...calls] }), {
      code: "unknown-target",
    });
    await studio.endTrial({ trial: trial.id });
    await assert.rejects(studio.trial({ trial: trial.id }), { code: "unknown-trial", status: 404 });
  }),
);

test("another prompt is tried on a scenario: rates of both versions, and whether that is noise", SLOW, () =>
  withDesk(async (studio) => {
    const scenario = "hears when the shop opens";
    const few = await ended(studio, await studio.startTrial({ agent: "desk", prompts: OPENS, scenario, repeats: 2 }));
    const many = await ended(studio, await studio.startTrial({ agent: "desk", prompts: OPENS, scenario, repeats: 8 }));
    const rates = ({ scenario: found }: StudioTrial) =>
      found && [found.base.passes, found.base.trials, found.head.passes, found.head.trials, found.change];
    assert.deepEqual(rates(few), [0, 2, 2, 2, "none"]);
    assert.deepEqual(rates(many), [0, 8, 8, 8, "better"]);
    assert.equal(many.calls.length, 8);
    // the same prompt is no change, and the same calls are no difference
    const same = { greet: "Say that the shop is closed." };
    const equal = await ended(studio, await studio.startTrial({ agent: "desk", prompts: same, scenario, repeats: 1 }));
    assert.deepEqual(rates(equal), [0, 1, 0, 1, "none"]);
  }),
);

test("a trial that fails says why, and belongs to who has started it", async () => {
  const trials = createTrials(async () => {
    throw new StudioError("Cannot hold the trial: its process ended", { code: "trial-failed", hint: "Try again" });
  });
  const { id } = trials.start("desk", { prompts: OPENS, scenario: "any", repeats: 1 }, "ana");
  await setTimeout(0);
  const { state, error } = trials.show(id, "ana");
  assert.deepEqual([state, error?.code, error?.hint], ["failed", "trial-failed", "Try again"]);
  assert.throws(() => trials.show(id, "bob"), { code: "unknown-trial" });
  assert.throws(() => trials.end(id, "bob"), { code: "unknown-trial" });
});

test("a trial that was ended ends its process's work, and five at one time are too many", async () => {
  const signals: AbortSignal[] = [];
  const trials = createTrials(async (_, { signal }) => {
    signals.push(signal);
    return await new Promise<never>((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason)),
    );
  });
  const start = () => trials.start("desk", { prompts: OPENS, scenario: "any", repeats: 1 }, "ana").id;
  const ids = [start(), start(), start(), start()];
  assert.throws(start, { code: "too-many" });
  trials.end(ids[0] ?? "", "ana");
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false, false, false],
  );
  start();
  trials.close();
  assert.ok(signals.every(({ aborted }) => aborted));
});
