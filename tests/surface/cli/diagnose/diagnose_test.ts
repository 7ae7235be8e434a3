import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { type ChatRequest, fitting, startChatServer } from "../../../chat_server.ts";
import { withEnvironment } from "../../../environment.ts";
import { CASE, callweave, folder, GRAPH } from "../_terminal.ts";

const MOD = pathToFileURL(join(import.meta.dirname ?? ".", "../../../../mod.ts")).href;

/** A shop whose condition for refunds names complaints only; the condition has an escape that a patch must keep. */
const FLOW = `import { flow } from ${JSON.stringify(MOD)};
import { PROMPTS } from "./prompts.ts";

export const shop = flow("shop", { prompt: PROMPTS.general })
  .conversation("greet", {
    prompt: "Greet the caller.",
    next: ({ to }) => [to("refund", PROMPTS.refund), to("hours", 'Caller asks when it is open')],
  })
  .end("refund", { prompt: "Say that the money is refunded." })
  .end("hours", { prompt: "Say when it is open." })
  .compile();
`;
const PROMPTS = `export const PROMPTS = {
  general: \`Be brief.
    Be kind.\`,
  refund:
    'Caller \\u201ccomplains\\u201d; it\\'s a refund', // one condition
};
`;
const SCENARIOS = `import { scenario } from ${JSON.stringify(MOD)};
export const scenarios = [
  scenario("money back").says("I want my money back").visits("refund"),
  scenario("hours").says("When are you open").visits("hours"),
];
`;
const OLD = "Caller “complains”; it's a refund";
const NEW = "Caller “complains” or wants their money back; it's a refund";

const NOTHING = { node: "", transition: -1, clause: -1, target: "", name: "", operator: "", find: "", text: "" };

/** A model that follows the conditions of the prompt, and diagnoses the planted fault. */
function answer(request: ChatRequest) {
  const text = request.messages.map(({ content }) => content ?? "").join("\n");
  const wantsMoney = text.includes("I want my money back");
  const target = wantsMoney ? (text.includes("wants their money back") ? "refund" : "none") : "hours";
  return fitting(request, {
    objectives_complete: true,
    transition_to: target,
    place: "transition",
    node: "greet",
    transition: 0,
    quotes: [{ node: "greet", quote: OLD }],
    evidence: [{ line: 2, quote: "I want my money back" }],
    explanation: "The condition names complaints only.",
    confidence: 0.9,
    target: "",
    tool: "",
    changes: [{ ...NOTHING, verb: "set_condition", node: "greet", transition: 0, text: NEW }],
  });
}

test("diagnose --fix --save repairs a planted fault, with a patch that git applies", async () => {
  const path = folder({ "flow.ts": FLOW, "prompts.ts": PROMPTS, "scenarios.ts": SCENARIOS });
  await using server = await startChatServer(answer);
  const db = join(path, "results.db");
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "sk-test" };
  await withEnvironment(env, () => repairedByPatch(path, db, env));
});

async function repairedByPatch(path: string, db: string, env: Record<string, string>) {
  const [flow, scenarios, patch] = ["flow.ts", "scenarios.ts", "fix.patch"].map((name) => join(path, name));
  assert.ok(flow && scenarios && patch);
  const ran = await callweave(["run", flow, "--scenarios", scenarios, "--db", db, "--json"], { env });
  assert.equal(ran.code, 1, ran.err);
  const { id } = JSON.parse(ran.out);

  const plain = await callweave(["diagnose", id, flow, "--scenarios", scenarios, "--db", db], { env });
  assert.equal(plain.code, 0, plain.err);
  assert.match(plain.out, /^money back: the fault is in transition 0 of "greet" \(confidence 0\.90, /);
  assert.match(plain.out, /seen in\s+line 2, user: "I want my money back"/);
  assert.match(plain.out, /\{\+ or wants their money back/);

  const flags = ["--scenarios", scenarios, "--db", db, "--fix", "--repeats", "5", "--save", "--out", patch];
  const fixed = await callweave(["diagnose", id, flow, ...flags], { env });
  assert.equal(fixed.code, 0, fixed.out + fixed.err);
  assert.match(fixed.out, /\nrepaired: "money back" passed 5 of 5 calls with the change and 0 of 5 calls without/);
  assert.match(fixed.out, /hours: passed → 5\/5/);
  const [, before = "", after = ""] = /callweave runs compare (\S+) (\S+)/.exec(fixed.out) ?? [];
  const compared = await callweave(["runs", "compare", before, after, "--db", db, "--json"]);
  assert.deepEqual(JSON.parse(compared.out).better, ["money back"]);

  assert.equal(readFileSync(join(path, "prompts.ts"), "utf8"), PROMPTS);
  assert.deepEqual(
    readdirSync(path).filter((name) => name.startsWith(".callweave-")),
    [],
  );
  execFileSync("git", ["apply", "fix.patch"], { cwd: path });
  assert.equal(
    readFileSync(join(path, "prompts.ts"), "utf8"),
    PROMPTS.replace("\\u201d; it", "\\u201d or wants their money back; it"),
  );
}

/** Two runs of a JSON agent on the offline model: in the second one a scenario fails. */
async function failedRun() {
  const greet = {
    ...GRAPH.nodes.greet,
    transitions: [{ target_node_id: "bye", condition: { type: "llm_prompt", value: "Caller complains" } }],
  };
  const agent = { ...GRAPH, nodes: { ...GRAPH.nodes, greet } };
  const path = folder({ "agent.json": agent, "tests.json": [CASE] });
  const at = (name: string) => join(path, name);
  const db = ["--db", at("results.db")];
  const ran = await callweave(["run", at("agent.json"), "--tests", at("tests.json"), ...db, "--json"]);
  const { id, results } = JSON.parse(ran.out);
  return { path, at, db, id: String(id), result: String(results[0].id) };
}

test("diagnose takes a result or a run, and prints JSON", async () => {
  const { at, db, id, result } = await failedRun();
  for (const each of [id, result]) {
    const { code, out } = await callweave(["diagnose", each, at("agent.json"), ...db, "--json"]);
    assert.equal(code, 0);
    const [{ place, node, model }] = JSON.parse(out);
    assert.deepEqual([place, node, model], ["transition", "greet", "offline"]);
  }
  const { out } = await callweave(["diagnose", id, ...db]); // without SOURCE: the graph of the run
  assert.match(out, /the fault is in transition 0 of "greet"/);
});

test("diagnose --fix --save writes a new document and leaves a JSON source as it is", async () => {
  const { at, db, id } = await failedRun();
  const before = readFileSync(at("agent.json"), "utf8");
  const fix = ["diagnose", id, at("agent.json"), "--tests", at("tests.json"), ...db, "--fix", "--repeats", "5"];
  const { code, out, err } = await callweave([...fix, "--save", "--out", at("fixed.vt.json"), "--json"]);
  assert.equal(code, 0, err);
  const { outcome, saved } = JSON.parse(out);
  assert.deepEqual([outcome, saved.file], ["repaired", at("fixed.vt.json")]);
  const { nodes } = JSON.parse(readFileSync(at("fixed.vt.json"), "utf8"));
  assert.match(nodes.greet.transitions[0].condition.value, /^Caller complains, or says: "My name is Anna Fischer\."$/);
  assert.equal(readFileSync(at("agent.json"), "utf8"), before);
  const again = await callweave([...fix, "--save", "--out", at("fixed.vt.json")]);
  assert.match(again.err, /"[^"]*fixed\.vt\.json" exists/);
});

test("diagnose says what is missing, and exits with 1 when no change is accepted", async () => {
  const { at, db, id } = await failedRun();
  const of = async (...argv: readonly string[]) => await callweave(["diagnose", ...argv, ...db]);
  assert.match((await of("nothing")).err, /error\[unknown-run\] .*neither a result nor a run/);
  assert.match((await of(id, "--fix")).err, /--fix needs the scenarios of the run/);
  assert.match((await of(id, "--save")).err, /--save needs --fix/);
  assert.match((await of(id, "--fix", "--save")).err, /a patch needs the source/);
  assert.match((await of(id, "--scenario", "unknown")).err, /the run has no scenario "unknown"/);
  const few = await of(id, at("agent.json"), "--tests", at("tests.json"), "--fix", "--repeats", "2");
  assert.equal(few.code, 1);
  assert.match(few.out, /unmeasurable: even 2 of 2 calls with a change could be noise/);
});
