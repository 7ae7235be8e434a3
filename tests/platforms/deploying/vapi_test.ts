import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { addressOf } from "../../../platforms/deploying/mod.ts";
import { emit } from "../../../platforms/mod.ts";
import { type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import { clientOf, createAll, readBack, startLocal } from "./_deploy_document.ts";

function assistant(name: string, extra: JsonObject = {}): JsonObject {
  const messages = [{ role: "system", content: `You are ${name}.` }];
  return { name, model: { provider: "openai", model: "gpt-4.1", messages, ...extra } };
}

function tool(name: string): JsonObject {
  return { type: "function", function: { name }, server: { url: "https://example.com" } };
}

const stored = (kind: string, id: string, body: JsonObject) => ({ kind, id, workspace: "workspace-1", body });

/** A squad as the dashboard makes it: saved assistants, one of them in two members, and saved tools that they share. */
function dashboardSquad() {
  return startLocal("vapi", {
    stored: [
      stored("tool", "tool-1", tool("look_up")),
      stored("tool", "tool-2", tool("book")),
      stored("assistant", "id-a", assistant("front", { toolIds: ["tool-1", "tool-9"] })),
      stored("assistant", "id-b", assistant("desk", { tools: [tool("own")], toolIds: ["tool-2", "tool-1"] })),
      stored("squad", "id-s", {
        name: "Clinic",
        members: [{ assistantId: "id-a" }, { assistantId: "id-b" }, { assistantId: "id-a", assistantOverrides: {} }],
      }),
    ],
  });
}

test("find() gives the addresses of a squad, its saved assistants and their tools, from the squad's id alone", async () => {
  const { adapter, client } = dashboardSquad();
  assert.deepEqual(await adapter.find(client, "id-s"), {
    "tool:look_up": "tool-1",
    "tool:book": "tool-2",
    "assistant:front": "id-a",
    "assistant:desk": "id-b",
    squad: "id-s",
  });
  assert.deepEqual(await adapter.find(client, "id-a"), { "tool:look_up": "tool-1", assistant: "id-a" });
  await assert.rejects(adapter.find(client, "id-z"), { code: "platform-missing" });
});

test("saved tools stand in the assistants that use them, and go back as ids; ids of other tools stay ids", async () => {
  const local = dashboardSquad();
  const ids = await local.adapter.find(local.client, "id-s");
  const read = await readBack(local, ids);
  const resources = local.adapter.split(read);
  assert.deepEqual(resources.map(addressOf), [
    "tool:look_up",
    "tool:book",
    "assistant:front",
    "assistant:desk",
    "squad",
  ]);
  assert.deepEqual(
    resources.map(({ id }) => id),
    ["tool-1", "tool-2", "id-a", "id-b", "id-s"],
  );
  const models = resources.map(({ body }) => recordAt(body, "model"));
  assert.deepEqual(models[2]?.toolIds, ["tool-9", "callweave:tool:look_up"]);
  assert.deepEqual(models[3]?.toolIds, ["callweave:tool:book", "callweave:tool:look_up"]);
  assert.equal(Array.isArray(models[3]?.tools) && models[3].tools.length, 1);
});

test("an assistant of two members is one resource; copies of it that differ are refused, and told apart by name", async () => {
  const local = dashboardSquad();
  const ids = await local.adapter.find(local.client, "id-s");
  const squad = structuredClone(await readBack(local, ids));
  const { members } = recordAt({ squad }, "squad");
  assert.ok(Array.isArray(members));
  const again = await readBack(local, ids);
  assert.deepEqual(local.adapter.split(squad).map(addressOf), local.adapter.split(again).map(addressOf));
  members[2].assistant.firstMessage = "Hello again";
  assert.throws(() => local.adapter.split(squad), {
    code: "not-deployable",
    message: /assistant "front" is used twice/,
  });
});

test("members of the same name, without one, or called like their kind get addresses of their own", () => {
  const { adapter } = startLocal("vapi");
  const members = ["desk", "desk", "assistant"].map((name) => ({ assistant: assistant(name) }));
  const nameless = { assistant: { firstMessage: "Hello" } };
  const resources = adapter.split({ members: [...members, nameless, { assistantId: "saved" }] });
  assert.deepEqual(resources.map(addressOf), [
    "assistant:desk",
    "assistant:desk#2",
    "assistant:assistant#2",
    "assistant:member-4",
    "squad",
  ]);
  const { members: written } = resources.at(-1)?.body ?? {};
  assert.deepEqual(Array.isArray(written) && written.at(-1), { assistantId: "saved" });
});

test("a renamed assistant keeps its id", async () => {
  const local = startLocal("vapi");
  const ids = await createAll(local, { members: [{ assistant: assistant("front") }] });
  const [member] = local.adapter.split({
    members: [{ assistant: { ...assistant("reception"), id: ids["assistant:front"] } }],
  });
  assert.deepEqual([member?.name, member?.id], ["reception", ids["assistant:front"]]);
});

test("squads in a bundle with their assistants, in lists and in envelopes are deployed as what they hold", () => {
  const { adapter } = startLocal("vapi");
  const bundle = { squad: { members: [{ assistantId: "x" }] }, assistants: [{ id: "x", ...assistant("front") }] };
  assert.deepEqual(adapter.split(bundle).map(addressOf), ["assistant:front", "squad"]);
  assert.deepEqual(adapter.split([{ members: [{ assistant: assistant("a") }] }]).map(addressOf), [
    "assistant:a",
    "squad",
  ]);
  assert.deepEqual(adapter.split({ assistant: assistant("a") }).map(addressOf), ["assistant"]);
});

test("a workflow is refused with what to deploy instead, and so is a document without an agent", () => {
  const { adapter } = startLocal("vapi");
  assert.throws(() => adapter.split({ name: "w", nodes: [], edges: [] }), {
    code: "not-deployable",
    hint: /vapi-squad/,
  });
  assert.throws(() => adapter.split({ x: 1 }), { code: "not-deployable" });
});

test("an update of a squad names all of its members, and one of a tool never its type", async () => {
  const local = dashboardSquad();
  const ids = await local.adapter.find(local.client, "id-s");
  const found = await local.adapter.read(local.client, ids);
  for (const remote of found) {
    const isSquad = remote.kind === "squad";
    const body = isSquad ? { ...remote.body, name: "Praxis" } : remote.body;
    const change = remote.kind === "tool" ? { ...body, server: { url: "https://example.org" } } : body;
    await local.adapter.write(local.client, { ...remote, body: change }, { remote, written: new Map() });
  }
  const now = await local.adapter.read(local.client, ids);
  const squad = now.find(({ kind }) => kind === "squad")?.body;
  assert.deepEqual([squad?.name, Array.isArray(squad?.members) && squad.members.length], ["Praxis", 3]);
  assert.ok(
    now.filter(({ kind }) => kind === "tool").every(({ body }) => JSON.stringify(body).includes("example.org")),
  );
});

test("list() reads everything, also when more resources than a page were created at the same time", async () => {
  const all = Array.from({ length: 7 }, (_, index) => stored("assistant", `id-${index}`, { name: `a${index}` }));
  const same = startLocal("vapi", { stored: all, now: () => 1000 });
  assert.equal((await same.adapter.list(same.client, "assistant")).length, 7);
  let time = 0;
  const paged = startLocal("vapi", { stored: all, maxPage: 3, now: () => Math.floor(++time / 2) * 1000 });
  assert.equal((await paged.adapter.list(paged.client, "assistant")).length, 7);
});

test("workspaceOf() names the organisation of the key as soon as it has anything", async () => {
  const local = startLocal("vapi", { keys: { "key-of-tests": "org-1", "other-key": "org-2" } });
  assert.equal(await local.adapter.workspaceOf(local.client), undefined);
  await createAll(local, emit(helpDesk, "vapi-assistant").config);
  assert.equal(await local.adapter.workspaceOf(local.client), "org-1");
  assert.equal(await local.adapter.workspaceOf(clientOf(local.platform, "other-key")), undefined);
});

test("a phone number is pointed to a squad instead of the assistant that it had", async () => {
  const number = stored("phone-number", "id-n", { provider: "vapi", number: "+14155550100", assistantId: "id-a" });
  const local = startLocal("vapi", { stored: [number, stored("assistant", "id-a", { name: "a" })] });
  const ids = await createAll(local, emit(helpDesk, "vapi-squad").config);
  const [found] = await local.adapter.numbers.list(local.client);
  assert.deepEqual(found, { id: "id-n", number: "+14155550100", targets: [{ kind: "assistant", id: "id-a" }] });
  const target = { kind: "squad", id: ids.squad ?? "" } as const;
  const now = await local.adapter.numbers.point(local.client, found, target);
  assert.deepEqual(now.targets, [target]);
});
