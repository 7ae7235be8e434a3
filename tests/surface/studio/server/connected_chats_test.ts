import assert from "node:assert/strict";
import { test } from "node:test";
import { type AgentConnection, customConnection, httpConnection } from "../../../../src/call/connection/mod.ts";
import { createStudioClient, StudioRequestError } from "../../../../src/surface/studio/api/client.ts";
import type { StudioChat, StudioChatEvent } from "../../../../src/surface/studio/api/mod.ts";
import type { Connections } from "../../../../src/surface/studio/server/mod.ts";
import { startServer } from "../../../call/connection/_server.ts";
import { GRAPH } from "../../../run/store/_fixtures.ts";
import { fits } from "../_fits.ts";
import { storedRun, withStudio } from "../_studio.ts";

/** The connection "live", whatever it is. */
const live = (connection: AgentConnection): Connections => ({
  names: ["live"],
  connect: async ({ name, variables }) =>
    name === "live" ? { connection, graph: GRAPH, variables, mocks: [] } : undefined,
});

type Client = ReturnType<typeof createStudioClient>;

async function say(studio: Client, chat: StudioChat, text: string): Promise<StudioChatEvent[]> {
  const events: StudioChatEvent[] = [];
  for await (const event of studio.say({ chat: chat.id, text })) events.push(event);
  return events;
}

test("one talks with a deployed agent by its connection, and what only a graph can do is refused", async () => {
  await using agent = await startServer(({ body }) => ({
    json: { reply: `You said ${body.text ?? "nothing"}`, node: "bye", over: body.text === "Goodbye." },
  }));
  const connection = httpConnection({
    url: agent.url,
    paths: { text: "$.reply", node: "$.node", ended: "$.over" },
    startVariables: true,
    opening: true,
  });
  await withStudio(
    async ({ address, data }) => {
      await storedRun(data, ["pass"]); // the agent is known of its runs, without a source
      const studio = createStudioClient({ url: address });
      assert.deepEqual((await studio.project({})).connections, ["live"]);
      const begun = { agent: "farewell", connection: "live" };
      const chat = await studio.createChat({ ...begun, variables: { name: "Ada" } });
      fits("createChat", chat);
      assert.deepEqual([chat.connection, chat.node, chat.offline, chat.steps], [connection.name, "bye", false, []]);
      assert.equal(agent.taken[0]?.body.variables.name, "Ada");
      const events = await say(studio, chat, "My lamp is broken.");
      for (const event of events) fits("say", event);
      const last = events.at(-1);
      assert.ok(last?.type === "turn");
      assert.equal(last.chat.transcript.at(-1)?.content, "You said My lamp is broken.");
      assert.ok(events.some((event) => event.type === "message" && event.message.role === "assistant"));
      const one = { chat: chat.id };
      for (const refused of [
        () => studio.undoChat(one),
        () => studio.setInChat({ ...one, name: "a", value: "b" }),
        () => studio.gotoInChat({ ...one, node: "bye" }),
        () => studio.whyInChat(one),
      ])
        await assert.rejects(refused, { code: "missing-capability", status: 422 });
      const ended = (await say(studio, chat, "Goodbye.")).at(-1);
      assert.ok(ended?.type === "turn");
      assert.equal(ended.chat.endReason, "agent_ended");
      const late = (await say(studio, chat, "Hello?")).at(-1);
      assert.ok(late?.type === "error");
      assert.equal(late.code, "call-ended");

      await assert.rejects(studio.createChat({ ...begun, connection: "https://example.com" }), { status: 404 });
      await assert.rejects(studio.createChat({ ...begun, prompts: { bye: "Say bye." } }), { code: "invalid-request" });
    },
    { connections: live(connection) },
  );
});

test("tools that would really run are refused, unless they are allowed", async () => {
  let closed = 0;
  const connection: AgentConnection = {
    ...customConnection({ name: "desk", agent: async () => "Hello." }),
    tools: [{ name: "refund", isMockable: false }],
    open: async ({ allowRealTools }) => ({
      opening: { events: [{ kind: "says", text: `tools run: ${allowRealTools}` }] },
      say: async () => {
        throw new Error("the line is dead");
      },
      close: async () => {
        closed += 1;
        return {};
      },
    }),
  };
  await withStudio(
    async ({ address, data }) => {
      await storedRun(data, ["pass"]);
      const studio = createStudioClient({ url: address });
      const begun = { agent: "farewell", connection: "live" };
      await assert.rejects(studio.createChat(begun), (error) => {
        assert.ok(error instanceof StudioRequestError);
        assert.deepEqual([error.code, error.path], ["real-tools", ["allowRealTools"]]);
        assert.match(error.message, /refund/);
        return true;
      });
      const chat = await studio.createChat({ ...begun, allowRealTools: true });
      assert.equal(chat.transcript[0]?.content, "tools run: true");
      // a turn that fails ends the call, also at the agent
      const event = (await say(studio, chat, "Hello?")).at(-1);
      assert.ok(event?.type === "error");
      assert.equal(event.code, "connection-failed");
      assert.equal((await studio.chat({ chat: chat.id })).endReason, "failed");
      assert.equal(closed, 1);
      const other = await studio.createChat({ ...begun, allowRealTools: true });
      await studio.endChat({ chat: other.id });
      assert.equal(closed, 2);
    },
    { connections: live(connection) },
  );
});

test("an agent that only speaks is refused", () => {
  const connection: AgentConnection = customConnection({ name: "phone", agent: async () => "Hello." });
  const spoken = { ...connection, capabilities: { ...connection.capabilities, text: false, voice: true } };
  return withStudio(
    async ({ address, data }) => {
      await storedRun(data, ["pass"]);
      const studio = createStudioClient({ url: address });
      await assert.rejects(studio.createChat({ agent: "farewell", connection: "live" }), {
        code: "missing-capability",
      });
    },
    { connections: live(spoken) },
  );
});
