import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalVapi } from "../../../platforms/vapi/local/mod.ts";
import type { JsonObject } from "../../../src/base/values/mod.ts";
import { seeded } from "../mutate.ts";
import { ask, bodyOf, messageOf } from "./_ask.ts";

const KEYS = { "key-1": "org-1", "key-2": "org-2" };
const MODEL = { provider: "openai", model: "gpt-4.1", messages: [{ role: "system", content: "Be kind." }] };

function start(options: { maxPage?: number; now?: () => number; strictSchema?: boolean } = {}) {
  return new LocalVapi({ keys: KEYS, random: seeded(1), now: () => 1000, ...options });
}

function create(platform: LocalVapi, kind: string, body: JsonObject): string {
  return String(bodyOf(ask(platform, `POST /${kind}`, body)).id);
}

test("Vapi adds defaults, to tools and servers too, its own fields and the organisation", () => {
  const server = { url: "https://example.com", secret: "s3cret" };
  const tools = [{ type: "function", function: { name: "look_up" }, server }];
  const created = bodyOf(ask(start(), "POST /assistant", { name: "Front desk", model: { ...MODEL, tools }, server }));
  assert.deepEqual([created.orgId, created.latestVersion, created.isServerUrlSecretSet], ["org-1", "v1", false]);
  assert.deepEqual(created.server, { url: "https://example.com", timeoutSeconds: 20, staticIpAddressesEnabled: false });
  const shown = JSON.stringify(created);
  assert.ok(shown.includes('"async":false') && !shown.includes("s3cret"));
});

test("Vapi takes keys and choices that its published document lacks, and refuses them with strictSchema", () => {
  const bodies: readonly JsonObject[] = [
    { name: "a", backgroundDenoisingEnabled: true },
    { name: "a", compliancePlan: { zdrEnabled: false } },
    { name: "a", keypadInputPlan: { enabled: true, delimiters: ["#", "*"] } },
    { name: "a", model: { ...MODEL, model: "gpt-99" }, voice: { provider: "11labs", voiceId: "ada", mood: "good" } },
    { name: "a", transcriber: { provider: "deepgram", language: "tlh" } },
  ];
  for (const body of bodies) {
    const created = bodyOf(ask(start(), "POST /assistant", body));
    for (const [key, value] of Object.entries(body)) assert.deepEqual(created[key], value, key);
    assert.match(messageOf(ask(start({ strictSchema: true }), "POST /assistant", body)), /^400 /);
  }
  assert.match(messageOf(ask(start(), "POST /assistant", { name: "a".repeat(41) })), /^400 /);
  assert.match(messageOf(ask(start(), "POST /assistant", { maxDurationSeconds: "long" })), /^400 /);
});

test("Vapi refuses what its published document does not have, nested keys and ranges too, and all faults at once", () => {
  const post = (body: JsonObject) => messageOf(ask(start({ strictSchema: true }), "POST /assistant", body));
  assert.equal(post({ name: "a", invented: 1 }), "400 property invented should not exist");
  assert.equal(post({ model: { ...MODEL, mood: "good" } }), "400 model.property mood should not exist");
  assert.equal(post({ id: "a", orgId: "b" }).includes("property id should not exist; property orgId"), true);
  assert.match(post({ name: "a".repeat(41) }), /^400 Vapi does not accept the 41 characters of "name"/);
  assert.match(post({ maxDurationSeconds: 5 }), /^400 /);
  assert.match(post({ voice: { provider: "nobody", voiceId: "v" } }), /^400 /);
});

test("Vapi's PATCH replaces whole top-level keys, removes with null and leaves others alone", () => {
  const platform = start();
  const id = create(platform, "assistant", { name: "a", model: { ...MODEL, temperature: 0.5 }, firstMessage: "Hello" });
  const now = bodyOf(ask(platform, `PATCH /assistant/${id}`, { model: MODEL, firstMessage: null }));
  assert.deepEqual([now.model, now.firstMessage, now.name, now.latestVersion], [MODEL, undefined, "a", "v2"]);
  assert.equal(bodyOf(ask(platform, `PATCH /assistant/${id}`, { name: "a" })).latestVersion, "v2");
});

test("Vapi's PATCH checks what is sent, not what an older version of the API took", () => {
  const old = { kind: "assistant", id: "old", workspace: "org-1", body: { name: "a", endCallFunctionEnabled: true } };
  const platform = new LocalVapi({ keys: KEYS, stored: [old], strictSchema: true });
  assert.equal(bodyOf(ask(platform, "PATCH /assistant/old", { name: "b" })).endCallFunctionEnabled, true);
  assert.match(messageOf(ask(platform, "PATCH /assistant/old", { endCallFunctionEnabled: false })), /^400 property/);
});

test("a tool's type cannot be patched, and a squad needs members that exist", () => {
  const platform = start();
  const tool = create(platform, "tool", { type: "function", function: { name: "look_up" } });
  assert.equal(
    messageOf(ask(platform, `PATCH /tool/${tool}`, { type: "function" })),
    "400 property type should not exist",
  );
  assert.match(messageOf(ask(platform, "POST /squad", { members: [] })), /400 members should not be empty/);
  assert.match(
    messageOf(ask(platform, "POST /squad", { members: [{ assistantId: "x" }] })),
    /400 assistant x does not/,
  );
});

test("Vapi refuses to delete what another resource names", () => {
  const platform = start();
  const assistant = create(platform, "assistant", { name: "a" });
  const squad = create(platform, "squad", { members: [{ assistantId: assistant }] });
  assert.equal(messageOf(ask(platform, `DELETE /assistant/${assistant}`)), "409 assistant_pinned");
  assert.equal(ask(platform, `DELETE /squad/${squad}`).status, 200);
  assert.equal(ask(platform, `DELETE /assistant/${assistant}`).status, 200);
});

test("Vapi lists the newest first, at most as many as asked, older than a time, of one organisation", () => {
  let time = 0;
  const platform = start({ now: () => time });
  for (const name of ["a", "b", "c"]) {
    time++;
    create(platform, "assistant", { name });
  }
  const names = (query: string, key = "key-1") => {
    const { body } = ask(platform, `GET /assistant?${query}`, {}, key);
    return Array.isArray(body) ? body.map((each: JsonObject) => each.name).join("") : "";
  };
  assert.deepEqual([names(""), names("limit=2"), names("", "key-2")], ["cba", "cb", ""]);
  assert.equal(names(`createdAtLt=${new Date(2).toISOString()}`), "a");
  assert.equal(names(`createdAtLe=${new Date(2).toISOString()}`), "ba");
  assert.match(messageOf(ask(platform, "GET /assistant", {}, "key-3")), /^401 Invalid Key/);
});

test("a phone number names an assistant or a squad that exists", () => {
  const platform = start();
  const assistant = create(platform, "assistant", { name: "a" });
  const number = create(platform, "phone-number", { provider: "vapi", name: "Main" });
  assert.equal(
    bodyOf(ask(platform, `PATCH /phone-number/${number}`, { assistantId: assistant })).assistantId,
    assistant,
  );
  assert.match(
    messageOf(ask(platform, `PATCH /phone-number/${number}`, { squadId: "x" })),
    /^400 squad x does not exist/,
  );
  assert.match(messageOf(ask(platform, `PATCH /phone-number/${number}`, { mood: 1 })), /^400 property mood should not/);
});

test("Vapi answers 404 to kinds and methods that it does not have", () => {
  const platform = start();
  const id = create(platform, "assistant", { name: "a" });
  assert.equal(messageOf(ask(platform, "GET /invented")), "404 Cannot GET /invented");
  assert.equal(messageOf(ask(platform, "DELETE /assistant")), "404 Cannot DELETE /assistant");
  assert.equal(messageOf(ask(platform, `PUT /assistant/${id}`)), `404 Cannot PUT /assistant/${id}`);
});

test("Vapi lists the credentials that an organisation's resources name, without their keys", () => {
  const platform = start();
  const model = { ...MODEL, credentialId: "00000000-0000-4000-8000-000000000001" };
  const stored = { kind: "assistant", id: "a", workspace: "org-1", body: { model, credentialIds: ["two"] } };
  const holding = new LocalVapi({ keys: KEYS, stored: [stored] });
  const list = (each: LocalVapi, key?: string) => ask(each, "GET /credential", {}, key).body;
  assert.deepEqual(list(platform), []);
  const listed = list(holding);
  assert.ok(Array.isArray(listed));
  assert.deepEqual(listed.map(({ id, orgId }: JsonObject) => `${orgId} ${id}`).sort(), [
    "org-1 00000000-0000-4000-8000-000000000001",
    "org-1 two",
  ]);
  assert.deepEqual(list(holding, "key-2"), []);
});
