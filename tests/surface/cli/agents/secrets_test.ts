import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { callweave, folder } from "../_terminal.ts";

const EXPORT = {
  agent_id: "",
  webhook_url: "https://example.test/hook?token=q7Lm2Xw9Tz4Rb8Kd",
  retellLlmData: {
    general_prompt: "Book a table.",
    general_tools: [
      {
        type: "custom",
        name: "find",
        url: "https://example.test/find",
        headers: { Authorization: "Bearer w8Jt5Nq2Vc7Hs4Pf" },
      },
      { type: "book_appointment_cal", name: "book", cal_api_key: "k3Fg9Ux6Ym1Ze5Ra", event_type_id: 7 },
    ],
  },
};
const ENV = {
  WEBHOOK_URL_TOKEN: "q7Lm2Xw9Tz4Rb8Kd",
  FIND_AUTHORIZATION: "w8Jt5Nq2Vc7Hs4Pf",
  BOOK_CAL_API_KEY: "k3Fg9Ux6Ym1Ze5Ra",
};

async function extracted(): Promise<string> {
  const path = folder({ "agent.json": EXPORT });
  const file = join(path, "agent.vt.json");
  await callweave(["import", join(path, "agent.json"), "--extract-secrets", "--out", file]);
  return file;
}

test("emit restores secrets from the environment", async () => {
  const file = await extracted();
  for (const secret of Object.values(ENV)) assert.ok(!readFileSync(file, "utf8").includes(secret));
  const { code, out } = await callweave(["emit", file, "--to", "retell-llm"], { env: ENV });
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out), EXPORT);
});

test("emit stops when variables are not set, and names them", async () => {
  const file = await extracted();
  const { FIND_AUTHORIZATION: _, ...env } = ENV;
  const { code, out, err } = await callweave(["emit", file, "--to", "retell-llm"], { env });
  assert.equal(code, 2);
  assert.equal(out, "");
  assert.match(err, /error\[missing-variable\].*"FIND_AUTHORIZATION" is not set/);
  const none = await callweave(["emit", file, "--to", "retell-llm"]);
  for (const name of Object.keys(ENV)) assert.match(none.err, new RegExp(name));
});

test("emit keeps references of imported documents unless they are allowed", async () => {
  const file = await extracted();
  const names = (text: string) => new Set([...text.matchAll(/\{\{env:(\w+)\}\}/g)].map(([, name]) => name));
  const all = new Set(Object.keys(ENV));
  assert.deepEqual(names((await callweave(["emit", file, "--to", "graph"])).out), all);
  assert.deepEqual(names((await callweave(["emit", file, "--to", "retell-llm", "--keep-references"])).out), all);
  const whole = await callweave(["emit", file, "--to", "graph", "--env"], { env: ENV });
  assert.deepEqual(names(whole.out), new Set());
  assert.equal((await callweave(["emit", file, "--to", "retell-llm", "--env", "--keep-references"])).code, 2);
});

test("import warns of secrets in a document without printing them", async () => {
  const path = folder({ "agent.json": EXPORT });
  const { err } = await callweave(["import", join(path, "agent.json"), "--out", join(path, "agent.vt.json")]);
  assert.match(err, /it contains 3 secrets; --extract-secrets removes them/);
  for (const secret of Object.values(ENV)) assert.ok(!err.includes(secret));
});

test("import warns of one secret in the singular", async () => {
  const path = folder({ "agent.json": { ...EXPORT, retellLlmData: { general_prompt: "Book a table." } } });
  const { err } = await callweave(["import", join(path, "agent.json"), "--out", join(path, "agent.vt.json")]);
  assert.match(err, /it contains a secret; --extract-secrets removes it\n/);
});
