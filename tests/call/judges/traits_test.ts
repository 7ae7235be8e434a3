import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonObject, scripted } from "../../../mod.ts";
import { auditTraits } from "../../../src/call/judges/traits/mod.ts";
import { TRAITS } from "../../../src/document/scenario/callers/mod.ts";
import { type CallerTraits, toScenario } from "../../../src/document/scenario/mod.ts";
import type { EndReason, Message } from "../../../src/document/transcript/mod.ts";
import { sampled } from "../../fast_check.ts";

/** Lines of agent and caller in turns; the agent begins. */
const transcriptOf = (lines: readonly string[]): readonly Message[] =>
  lines.map((content, at) => ({
    role: at % 2 === 0 ? "assistant" : "user",
    content,
    node_id: "a",
    timestamp: "2026-03-01T09:00:00Z",
    metadata: {},
  }));

async function audited(
  traits: CallerTraits,
  lines: readonly string[],
  {
    endReason = "agent_ended",
    model = scripted({}),
  }: { endReason?: EndReason; model?: ReturnType<typeof scripted> } = {},
) {
  const call = {
    persona: "You want a refund.",
    given: ["Word for word."],
    traits,
    transcript: transcriptOf(lines),
    endReason,
  };
  const { findings, unseen } = await auditTraits(call, { model });
  return findings.length > 0 ? "missing" : unseen.length > 0 ? "no occasion" : "shown";
}

const REFUSED = ["Hello?", "I want my money back.", "I am afraid that is not possible."];

test("patience: a caller without it hangs up after a refusal, and one that goes on is found", async () => {
  assert.equal(await audited({ patience: "none" }, [...REFUSED, "Goodbye."], { endReason: "caller_ended" }), "shown");
  const goes = [...REFUSED, "But I want it.", "I cannot do that.", "Please."];
  assert.equal(await audited({ patience: "none" }, goes), "missing");
  assert.equal(await audited({ patience: "short" }, goes, { endReason: "caller_ended" }), "shown");
  assert.equal(await audited({ patience: "short" }, ["Hello?", "I want my money back.", "Done."]), "no occasion");
  assert.equal(
    await audited({ patience: "patient" }, [...REFUSED, "Goodbye."], { endReason: "caller_ended" }),
    "missing",
  );
  assert.equal(await audited({ patience: "patient" }, goes), "shown");
});

test("pace, clarity and line show in most of the longer lines", async () => {
  const plain = [
    "Hello?",
    "I would like to have my money back, please.",
    "Which order?",
    "The order of last Tuesday, thanks.",
  ];
  for (const traits of [{ pace: "slow" }, { pace: "fast" }, { clarity: "fillers" }, { clarity: "fragments" }] as const)
    assert.equal(await audited(traits, plain), "missing", JSON.stringify(traits));
  assert.equal(await audited({ clarity: "rambling" }, plain), "missing");
  assert.equal(await audited({ line: "breaking" }, plain), "missing");
  assert.equal(await audited({ pace: "slow" }, ["Hello?", "I would like … my money back."]), "shown");
  assert.equal(await audited({ pace: "fast" }, ["Hello?", "Money back. Order of Tuesday."]), "shown");
  assert.equal(await audited({ clarity: "fillers" }, ["Hello?", "Um, I would, uh, like my money."]), "shown");
  assert.equal(await audited({ clarity: "fillers" }, ["Ja?", "Er will sein Geld zurück haben."]), "missing");
  assert.equal(await audited({ clarity: "fragments" }, ["Hello?", "My money … the shoes … back."]), "shown");
  assert.equal(await audited({ clarity: "rambling" }, ["Hello?", "so and then ".repeat(12)]), "shown");
  assert.equal(await audited({ pace: "slow" }, ["Hello?", "Yes."]), "no occasion");
});

test("memory and hearing show by asking again", async () => {
  const calm = ["Hello?", "My money, please.", "Which order?", "The shoes.", "When?", "On Tuesday."];
  assert.equal(await audited({ hearing: "hard" }, calm), "missing");
  assert.equal(await audited({ hearing: "hard" }, calm.with(3, "Pardon? Could you speak up?")), "shown");
  assert.equal(await audited({ memory: "forgetful" }, calm.with(5, "What did you say before?")), "shown");
  const twice = calm.with(1, "How much is it for the shoes?").with(5, "How much is it for the shoes?");
  assert.equal(await audited({ memory: "forgetful" }, twice), "shown");
  assert.equal(await audited({ memory: "forgetful" }, calm.slice(0, 4)), "no occasion");
});

test("language is detected by script and by frequent words, related languages included", async () => {
  const lines = {
    en: "I would like to have my money back for the shoes",
    de: "Ich möchte mein Geld für die Schuhe zurück haben",
    fr: "Je voudrais être remboursé pour les chaussures que j'ai achetées",
    es: "Quiero que me devuelvan el dinero de los zapatos que compré",
    pt: "Eu quero que vocês devolvam o dinheiro dos sapatos que comprei",
    it: "Vorrei che mi restituiste i soldi delle scarpe che ho comprato",
    nl: "Ik wil graag mijn geld terug voor de schoenen die ik heb gekocht",
    hi: "मुझे अपने जूतों के पैसे वापस चाहिए",
    ja: "靴の代金を返してほしいのですが",
    ar: "أريد استرداد ثمن الحذاء الذي اشتريته",
  };
  for (const language of Object.keys(lines))
    for (const [other, words] of Object.entries(lines))
      assert.equal(
        await audited({ language }, ["?", words]),
        language === other ? "shown" : "missing",
        `${other} for ${language}`,
      );
});

test("a caller that says only given lines shows nothing, and a word of the judge counts only if it was said", async () => {
  assert.equal(await audited({ pace: "slow" }, ["Hello?", "Word for word."]), "missing");
  const ruled = (shown: boolean, quote: string, had_occasion = true) =>
    scripted({ traits: [{ traits: [{ trait: "mood: angry", shown, had_occasion, quote, reasoning: "r" }] }] });
  const lines = ["Hello?", "This is unacceptable."];
  assert.equal(await audited({ mood: "angry" }, lines, { model: ruled(true, "This is unacceptable.") }), "shown");
  assert.equal(await audited({ mood: "angry" }, lines, { model: ruled(true, "How dare you!") }), "missing");
  assert.equal(await audited({ mood: "angry" }, lines, { model: ruled(false, "") }), "missing");
  assert.equal(await audited({ mood: "angry" }, lines, { model: ruled(false, "", false) }), "no occasion");
});

/** Traits that only a judge sees, with their examples. */
const JUDGED = Object.entries(TRAITS).flatMap(([trait, words]) =>
  "values" in words
    ? Object.entries(words.values).flatMap(
        ([
          value,
          {
            audit,
            examples: [example = ""],
          },
        ]) =>
          audit.rule === "judge"
            ? [
                {
                  traits: toScenario({ name: "x", caller: { [trait]: value } }).caller,
                  name: `${trait}: ${value}`,
                  example,
                },
              ]
            : [],
      )
    : [],
);

/**
 * A judge that knows by the question what to look for: the example of a trait. It is scripted: these calls show that
 * traits, lines and rulings reach each other, and not how well a model judges.
 */
const reader = (calls: number) =>
  scripted({
    traits: Array.from({ length: calls }, () => (input: JsonObject) => {
      const said = JSON.stringify(input.conversation_history);
      const asked = Array.isArray(input.traits) ? input.traits : [];
      return {
        traits: asked.map(({ trait, shows }: { trait: string; shows: string }) => {
          const example = JUDGED.find(({ name }) => name === trait)?.example ?? "";
          const shown = shows !== "" && said.includes(JSON.stringify(example).slice(1, -1));
          return { trait, shown, had_occasion: true, quote: shown ? example : "", reasoning: "r" };
        }),
      };
    }),
  });

test("of 400 callers with a trait that only a judge sees, those that ignore it are found, and no others", async () => {
  assert.ok(JUDGED.length >= 10, String(JUDGED.length));
  const calls = sampled(400);
  const model = reader(calls);
  const wrong: string[] = [];
  for (let at = 0; at < calls; at++) {
    const own = JUDGED[at % JUDGED.length];
    const other = JUDGED[(at + 1 + (at % (JUDGED.length - 1))) % JUDGED.length];
    assert.ok(own?.traits && other && own.name !== other.name);
    const obeys = Math.floor(at / JUDGED.length) % 2 === 0;
    const lines = ["Hello?", `It is about call ${at}.`, "Go on.", (obeys ? own : other).example, "I see."];
    const found = await audited(own.traits, lines, { model });
    if (found !== (obeys ? "shown" : "missing")) wrong.push(`${own.name}: ${found}`);
  }
  assert.deepEqual([wrong, model.calls.length], [[], calls]);
});
