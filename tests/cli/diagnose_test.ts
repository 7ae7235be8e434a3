import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { type ChatRequest, fitting, startChatServer } from "../chat_server.ts";
import { withEnvironment } from "../environment.ts";
import { callweave, folder } from "./_terminal.ts";

const MOD = pathToFileURL(join(import.meta.dirname ?? ".", "../../mod.ts")).href;

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
