import assert from "node:assert/strict";
import { test } from "node:test";
import { type FitnessRole, testModel } from "../../../api/statistics.ts";
import { offline } from "../../../mod.ts";
import { isRecord, type JsonObject, recordsAt } from "../../../src/base/values/mod.ts";
import { type EmbeddedCall, generated, readCall } from "../../../src/call/models/embedded.ts";
import { embeddedModel as modelOf } from "../../../src/call/models/model.ts";
import { KNOWN_CALLS } from "../../../src/run/fitness/cases.ts";
import { callweave } from "../../surface/cli/_terminal.ts";

const SPOKEN: { readonly [language: string]: string } = {
  German: "Wir öffnen um neun Uhr.",
  Spanish: "Abrimos a las nueve.",
  Japanese: "九時に開きます。",
};

/** What a model that can do everything answers; `undefined`: the offline model can. */
function knownAnswer({ signature, input }: EmbeddedCall): unknown {
  if (signature === "respond") {
    const language = /speak (\w+)|goodbye in (\w+)/.exec(String(input.state_instructions));
    return language ? SPOKEN[language[1] ?? language[2] ?? ""] : undefined;
  }
  if (signature !== "judge") return undefined;
  const known = new Map(KNOWN_CALLS.flatMap(({ verdicts }) => verdicts.map((each) => [each.criterion, each.passed])));
  const verdicts = recordsAt(input, ["criteria"]).map(({ number, criterion }) => ({
    number,
    requirement: String(criterion),
    evidence: [],
    reasoning: "It is known.",
    score: known.get(String(criterion)) ? 1 : 0,
    confidence: 1,
  }));
  return { verdicts };
}

/** A model that can do everything, but for what is answered wrongly here. */
function modelWith(wrong: (call: EmbeddedCall) => unknown = () => undefined) {
  const model = offline();
  return modelOf("tried", async (options) => {
    if (!options.providerOptions?.callweave) return generated("one two three");
    const call = readCall("tried", options);
    const answer = wrong(call) ?? knownAnswer(call);
    if (answer instanceof Error) throw answer;
    if (answer === undefined) return await model.doGenerate(options);
    return generated(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
}

const failed = ({ checks }: Awaited<ReturnType<typeof testModel>>) =>
  checks.filter(({ passed }) => !passed).map(({ role, name }) => `${role}: ${name}`);

test("a model that does everything right is fit for everything", async () => {
  const fitness = await testModel(modelWith());
  assert.deepEqual(failed(fitness), []);
  assert.deepEqual(fitness.fit, { agent: true, caller: true, judge: true });
  assert.equal(fitness.model, "tried");
  assert.equal(fitness.streams, false);
  assert.ok(fitness.firstWord && fitness.firstWord.medianMs <= fitness.firstWord.worstMs);
  assert.ok(fitness.usage.calls > 20);
});

const named = (signature: string, change: (input: JsonObject) => unknown) => (call: EmbeddedCall) =>
  call.signature === signature ? change(call.input) : undefined;

for (const [what, wrong, expected] of [
  [
    "it books, whatever the caller says",
    named("transition", (input) =>
      JSON.stringify(input).includes("Caller wants a new appointment")
        ? { objectives_complete: true, transition_to: "book" }
        : undefined,
    ),
    /^agent: (?:takes the transition|stays when)/,
  ],
  [
    "it extracts another number",
    named("extract", () => ({ name: "Brandt", people: "3", place: "outside" })),
    /^agent: extracts/,
  ],
  [
    "it speaks English, whatever the prompt says",
    named("respond", ({ state_instructions: prompt }) =>
      /speak \w+/.test(String(prompt)) ? "The shop opens at nine." : undefined,
    ),
    /^agent: speaks (?:German|Spanish|Japanese)/,
  ],
  [
    "it never says what it was asked for as a caller",
    named("caller", () => ({ message: "I do not know.", should_end: false })),
    /^caller: /,
  ],
  [
    "it says yes to every criterion",
    named("judge", (input) => ({
      verdicts: recordsAt(input, ["criteria"]).map(({ number }) => ({
        number,
        reasoning: "Yes.",
        score: 1,
        evidence: [],
      })),
    })),
    /^judge: /,
  ],
  [
    "its server fails",
    (call: EmbeddedCall) => (call.signature === "extract" ? new Error("out of memory") : undefined),
    /^agent: extracts/,
  ],
] as const)
  test(`${what}: these cases fail, and no others`, async () => {
    const fitness = await testModel(modelWith(wrong));
    const wrongOnes = failed(fitness);
    assert.ok(wrongOnes.length > 0, "something fails");
    for (const name of wrongOnes) assert.match(name, expected);
    const roles = new Set(wrongOnes.map((name) => name.split(":")[0]));
    for (const role of ["agent", "caller", "judge"] satisfies FitnessRole[])
      assert.equal(fitness.fit[role], !roles.has(role), role);
    for (const { passed, reason } of fitness.checks) assert.equal(reason === undefined, passed);
  });

test("only the roles that are asked for are tried, each case as often as it is asked for", async () => {
  let calls = 0;
  const model = modelWith(({ signature }) => {
    if (signature === "judge") calls += 1;
    return undefined;
  });
  const fitness = await testModel(model, { roles: ["judge"], repeat: 3 });
  assert.deepEqual(fitness.fit, { agent: null, caller: null, judge: true });
  assert.equal(calls, 3 * KNOWN_CALLS.length);
  assert.equal(fitness.streams, null);
  assert.equal(fitness.firstWord, undefined);
});

test("a model that never answers ends with the limit, and an abort ends it at once", { timeout: 60_000 }, async () => {
  const stuck = modelOf("stuck", async ({ abortSignal }) => {
    return await new Promise((_, fail) => abortSignal?.addEventListener("abort", () => fail(abortSignal.reason)));
  });
  const fitness = await testModel(stuck, { timeoutMs: 200 });
  assert.deepEqual(fitness.fit, { agent: false, caller: false, judge: false });
  const abort = new AbortController();
  const tried = testModel(stuck, { signal: abort.signal });
  abort.abort();
  await assert.rejects(tried, { code: "aborted" });
});

test("wrong options are named", async () => {
  for (const options of [{ roles: ["agents"] }, { roles: [] }, { repeat: 0 }, { timeOut: 1 }])
    await assert.rejects(Reflect.apply(testModel, undefined, ["offline", options]), { code: "invalid-option" });
  await assert.rejects(testModel("no-provider"), { code: "unknown-model" });
});

test("the command prints each role with its cases, and fails for a model that is not fit", async () => {
  const ran = await callweave(["models", "test", "offline", "--role", "caller"]);
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /^caller +fit \(1 of 1 cases\)$/m);
  assert.doesNotMatch(ran.out, /^judge/m);
  const all = await callweave(["models", "test", "offline", "--json"]);
  assert.equal(all.code, 1);
  const { fit, checks } = JSON.parse(all.out);
  assert.deepEqual(fit, { agent: false, caller: true, judge: false });
  assert.ok(checks.every((check: unknown) => isRecord(check) && (check.passed || check.reason)));
});
