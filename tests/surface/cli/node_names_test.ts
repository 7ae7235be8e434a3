import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { callweave, folder } from "./_terminal.ts";

const ASK = "node-1759299298668";
const BYE = "node-1759299298669";
const LOST = "node-1759299298670";

const prompt = (text: string) => ({ type: "prompt", text });
const goodbye = { type: "prompt", prompt: "Caller says goodbye" };

/** An export of Retell: the dashboard shows the names of its nodes, and nobody sees their ids. */
const FLOW = {
  start_node_id: ASK,
  start_speaker: "agent",
  model_choice: { type: "cascading", model: "gpt-4.1" },
  nodes: [
    {
      id: ASK,
      name: "Identify Appointment",
      type: "conversation",
      instruction: prompt("Ask for the date."),
      edges: [{ id: "e1", destination_node_id: BYE, transition_condition: goodbye }],
    },
    { id: BYE, name: "Farewell", type: "end", instruction: prompt("Say goodbye.") },
    { id: LOST, name: "Orphan", type: "conversation", instruction: prompt(""), edges: [] },
  ],
};

/** The ids in the lines of a text that are not paths for programs. */
const idsIn = (text: string) =>
  text
    .split("\n")
    .filter((line) => !/^\s*at /.test(line))
    .flatMap((line) => line.match(/node-\d+/g) ?? []);

test("findings, pictures, reports and transcripts name nodes as the dashboard does", async () => {
  const path = folder();
  const at = (name: string) => join(path, name);
  writeFileSync(at("flow.json"), JSON.stringify(FLOW));
  writeFileSync(at("tests.json"), JSON.stringify([{ name: "leaves", says: ["Goodbye"], visits: [BYE, LOST] }]));
  const run = ["run", at("flow.json"), "--tests", at("tests.json"), "--model", "offline", "--db", at("r.db")];
  const tried = await callweave(run);
  assert.equal(tried.code, 1, tried.err);
  const written = await callweave([...run, "--reporter", "terminal", "--reporter", `junit:${at("r.xml")}`]);
  const [id = ""] = /(?<=run )[a-z0-9]{16,}/.exec(tried.out + tried.err) ?? [];
  const shown = await callweave(["runs", "show", id, "--db", at("r.db")]);
  const checked = await callweave(["check", at("flow.json")]);
  const drawn = await callweave(["draw", at("flow.json"), "--format", "mermaid"]);
  for (const [what, text, ...names] of [
    ["the run", tried.out + tried.err, "Identify Appointment", "Farewell", "Orphan"],
    ["the reporter terminal", written.out + written.err, "Identify Appointment", "Farewell", "Orphan"],
    ["the report", readFileSync(at("r.xml"), "utf8"), "Farewell", "Orphan"],
    ["the transcript", shown.out, "Identify Appointment", "Farewell"],
    ["the findings", checked.out, "Orphan"],
    ["the picture", drawn.out, "Identify Appointment", "Farewell", "Orphan"],
  ] as const) {
    assert.deepEqual(idsIn(text), [], `${what}: ${text}`);
    for (const name of names) assert.ok(text.includes(name), `${what} lacks ${name}: ${text}`);
  }
});
