import assert from "node:assert/strict";
import { test } from "node:test";
import { emitRetellTestCases } from "../../../api/platforms.ts";
import { scenarioModule } from "../../../dsl/eject/mod.ts";
import { flow, scenario } from "../../../mod.ts";
import { isCallweaveError } from "../../../src/base/errors.ts";
import {
  CALLER_SETS,
  CALLERS,
  castBy,
  chosenCallers,
  parseScenarios,
  personaWithTraits,
  speechWithTraits,
  traitNames,
  traitsOf,
  traitWords,
} from "../../../src/document/scenario/mod.ts";

const codeOf = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    return isCallweaveError(error) ? `${error.code} ${error.message}` : String(error);
  }
  return "";
};

test("each value of a trait has a prompt, examples and an audit, and each caller and set is made of them", () => {
  for (const name of traitNames()) {
    const words = traitWords(name);
    const effects = "values" in words ? Object.values(words.values) : [words.ofLanguage];
    for (const { prompt, examples, audit } of effects)
      assert.ok(prompt.length > 20 && examples.length > 0 && audit.shows.length > 10, name);
  }
  for (const traits of Object.values(CALLERS)) assert.equal(traitsOf(traits).length, Object.keys(traits).length);
  const listed = Object.values(CALLER_SETS).flatMap(({ callers }) => callers);
  assert.deepEqual([...new Set<string>(listed)].sort(), Object.keys(CALLERS).sort());
});

test("traits that do not exist, texts and lists are errors that name the trait", () => {
  const read = (caller: unknown) => codeOf(() => parseScenarios([{ name: "a", caller }]));
  assert.match(read({ mood: "furious" }), /invalid-scenario .*caller\.mood/);
  assert.match(read({ moods: "angry" }), /invalid-scenario .*caller\.moods/);
  assert.match(read({ language: "german" }), /invalid-scenario .*caller\.language/);
  assert.match(read({ language: "en-abcde-abcde" }), /no tag of a language/);
  assert.match(read("angry"), /it is a text/);
  assert.match(read([]), /it is a list/);
  assert.equal(read({ mood: "angry", language: "de-CH", accent: null }), "");
});

test(".caller() adds traits, is ejected, and is told to the callers of platforms as words", () => {
  const built = scenario("asks").persona("You want a refund.").caller({ mood: "angry" }).caller({ pace: "fast" });
  assert.deepEqual(built.toJSON().caller, { mood: "angry", pace: "fast" });
  const graph = flow("a").conversation("b", { prompt: "C" }).compile();
  assert.match(scenarioModule([built.toJSON()], graph), /\.caller\(\{ mood: "angry", pace: "fast" \}\)/);
  const [test = { user_prompt: "" }] = emitRetellTestCases([built]).cases;
  assert.match(test.user_prompt, /^You want a refund\.\n\nHow you talk in this call:\n- You are angry/);
});

test("castBy() makes a scenario for each caller, with the lines as a part of the persona", () => {
  const scenarios = parseScenarios([
    { name: "a", user_prompt: "You want a refund.", caller: { language: "fr" } },
    { name: "b", says: ["Hello", "On Tuesday"], offline_path: [] },
  ]);
  const cast = castBy(["hard-of-hearing", { mine: { pace: "slow" } }, "ordinary"], scenarios);
  assert.deepEqual(
    cast.map(({ name, cast: of, caller, says }) => [name, of?.scenario, of?.caller, caller, says.length]),
    [
      ["a (hard-of-hearing)", "a", "hard-of-hearing", { language: "fr", hearing: "hard" }, 0],
      ["a (mine)", "a", "mine", { language: "fr", pace: "slow" }, 0],
      ["a (ordinary)", "a", "ordinary", { language: "fr" }, 0],
      ["b (hard-of-hearing)", "b", "hard-of-hearing", { hearing: "hard" }, 0],
      ["b (mine)", "b", "mine", { pace: "slow" }, 0],
      ["b (ordinary)", "b", "ordinary", undefined, 2],
    ],
  );
  assert.equal(cast[3]?.user_prompt, "Say: Hello\nSay: On Tuesday");
  assert.deepEqual(castBy("difficult", cast), cast);
  const steps = parseScenarios([{ name: "c", says: ["Hello", { silence_ms: 500 }] }]);
  assert.match(
    codeOf(() => castBy("angry", steps)),
    /invalid-scenario .*does more than talk/,
  );
});

test("unknown callers, and a choice of none, are errors", () => {
  assert.match(
    codeOf(() => chosenCallers("dificult")),
    /invalid-option .*"dificult"/,
  );
  assert.match(
    codeOf(() => chosenCallers([])),
    /invalid-option .*there is no caller/,
  );
  assert.match(
    codeOf(() => chosenCallers({ mine: JSON.parse('{ "mood": "x" }') })),
    /invalid-scenario/,
  );
  assert.equal(chosenCallers(["difficult", "angry"]).length, CALLER_SETS.difficult.callers.length);
});

test("speechWithTraits() makes the sound of traits, and what the scenario says goes before", () => {
  assert.deepEqual(speechWithTraits({ line: "breaking" }, null), { packet_loss: 0.08 });
  assert.deepEqual(speechWithTraits({ age: "elderly", pace: "slow", language: "de-CH" }, null), {
    rate: 0.64,
    language: "de",
  });
  assert.deepEqual(speechWithTraits({ pace: "slow" }, { rate: 1.5, voice: "ana" }), { rate: 1.5, voice: "ana" });
  assert.equal(speechWithTraits({ mood: "sad" }, null), undefined);
  assert.match(personaWithTraits("", { language: "pt-BR" }), /You speak Brazilian Portuguese \(pt-BR\)/);
});
