import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { importAgent } from "../../../../mod.ts";
import { checkGraph } from "../../../../src/agent/analysis/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { end, graphOf, llm, says } from "../_graphs.ts";

const CODES = ["mixed-languages", "language-setting"];
const CORPUS = new URL("../../../../../shared/corpus/", import.meta.url);

/** The findings about languages: code and place. */
function found(graph: AgentGraph): readonly string[] {
  return checkGraph(graph)
    .filter(({ code }) => CODES.includes(code))
    .map(({ code, path }) => `${code} ${path.join(".")}`);
}

const fixed = (text: string) => ({ node_type: "end", instruction_type: "static_text", state_prompt: text });
const GERMAN = "Du bist am Telefon einer Praxis. Frage nach dem Namen und nach dem Tag, und sei freundlich.";
const ENGLISH = "You are on the phone of a practice. Ask for the name and for the day, and be friendly.";

function agent(prompt: string, head: object = {}, bye: object = end): AgentGraph {
  return graphOf({ a: says(prompt, llm("bye", "x")), bye }, { source_metadata: head });
}

test("checkGraph() finds fixed words in another language than the prompts, wherever they are spoken", () => {
  assert.deepEqual(found(agent(GERMAN, {}, fixed("Thank you for calling, and have a nice day."))), [
    "mixed-languages nodes.bye.state_prompt",
  ]);
  assert.deepEqual(found(agent(ENGLISH, { begin_message: "お電話ありがとうございます。ご用件は何でしょうか？" })), [
    "mixed-languages source_metadata.begin_message",
  ]);
  const voicemail = { acme: { voicemailMessage: "We could not reach you, so please call us back." } };
  assert.deepEqual(found(agent(GERMAN, voicemail)), ["mixed-languages source_metadata.acme.voicemailMessage"]);
});

test("checkGraph() finds a language setting that differs from the fixed words, or else from the prompts", () => {
  assert.deepEqual(found(agent(GERMAN, { language: "en-US" })), ["language-setting source_metadata.language"]);
  assert.deepEqual(found(agent(GERMAN, { language: "de-AT" })), []);
  assert.deepEqual(found(agent(GERMAN, { language: "multi" })), []);
  assert.deepEqual(found(agent(GERMAN, { language: "sv-SE" })), []);
});

test("checkGraph() is quiet where the prompts name the language, and where words do not show one", () => {
  const begin = { begin_message: "Guten Tag, was kann ich für Sie tun?", language: "de-DE" };
  assert.deepEqual(found(agent(`${ENGLISH} Speak German.`, begin)), []);
  assert.deepEqual(found(agent(`${ENGLISH} Answer in the language of the caller.`, begin)), []);
  assert.deepEqual(found(agent(ENGLISH, { begin_message: "Bonjour! Ristorante La Piazza." })), []);
  assert.deepEqual(found(agent(ENGLISH, {}, fixed("Ciao, {{caller_name}}!"))), []);
});

test("checkGraph() finds no other language in the agents of the corpora", {
  skip: existsSync(CORPUS) ? false : "there is no ../shared/corpus",
}, () => {
  let read = 0;
  for (const folder of ["retell", "vapi", "elevenlabs", "bland"])
    for (const name of readdirSync(new URL(`${folder}/`, CORPUS))) {
      if (!name.endsWith(".json")) continue;
      let graph: AgentGraph;
      try {
        ({ graph } = importAgent(readFileSync(new URL(`${folder}/${name}`, CORPUS), "utf8")));
      } catch {
        continue;
      }
      read += 1;
      assert.deepEqual(found(graph), [], name);
    }
  assert.ok(read > 60, `${read} agents`);
});
