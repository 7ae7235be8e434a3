import assert from "node:assert/strict";
import { test } from "node:test";
import { hold, play } from "./_clinic.ts";
import { LATIN } from "./_texts_latin.ts";
import { OTHER } from "./_texts_other.ts";

const NODES =
  "greet ask_name ask_day ask_time ask_people ask_phone read confirm ask_day ask_time ask_people ask_phone read confirm booked bye";

for (const [language, texts] of Object.entries({ ...LATIN, ...OTHER })) {
  test(`a call in ${language} of a page passes the same nodes and fills the same variables offline`, async () => {
    const { nodes, call } = await hold(texts);
    const said = call.transcript.map(({ role, node_id: id, content }) => `${role} ${id} ${content}`).join("\n");
    assert.equal(nodes.join(" "), NODES, said);
    const { caller_name: name, day, time, people, phone } = call.variables;
    assert.deepEqual([name, day, time, people, phone], [...texts.filled], said);
    assert.equal(call.ended, true);
  });
}

const PLAYED = "greet ask_name ask_day ask_time ask_people ask_phone read confirm booked bye";

for (const [language, texts] of Object.entries({ ...LATIN, ...OTHER })) {
  test(`a persona in ${language} leads the offline caller through the same nodes`, async () => {
    const { nodes, said } = await play(texts);
    assert.equal(nodes.join(" "), PLAYED, said);
  });
}

test("a call that changes its language is held in the new one", async () => {
  const { de, en } = LATIN;
  assert.ok(de && en);
  const lines = [
    ...de.lines.slice(0, 6),
    "I'm sorry, my German is not so good. The number is zero one seven six one two three.",
    "Yes, that is right.",
    "No, that is all, thank you.",
  ];
  const { nodes, call } = await hold(de, lines);
  assert.equal(nodes.join(" "), "greet ask_name ask_day ask_time ask_people ask_phone read confirm booked bye");
  assert.equal(call.variables.phone, "0176123");
});
