import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentSession as livekit } from "@livekit/protocol";
import {
  readWorkerMessage,
  type SessionRequest,
  writePlayed,
  writeRequest,
} from "../../../../platforms/livekit/talk/messages.ts";
import { readFields } from "../../../../platforms/talking/mod.ts";

const { AgentSessionMessage } = livekit;

test("LiveKit's own library reads the requests", () => {
  const texts = ["", "Hi", "Grüß Gott, 你好 👋", "x".repeat(127), "y".repeat(128), "z".repeat(70_000)];
  for (const text of texts) {
    const { message } = AgentSessionMessage.fromBinary(writeRequest("request_1", { kind: "runInput", text }));
    assert.ok(message.case === "request" && message.value.request.case === "runInput");
    assert.equal(message.value.requestId, "request_1");
    assert.equal(message.value.request.value.text, text);
  }
  const others: readonly (readonly [SessionRequest, string])[] = [
    [{ kind: "getChatHistory" }, "getChatHistory"],
    [{ kind: "getAgentInfo" }, "getAgentInfo"],
    [{ kind: "getSessionState" }, "getSessionState"],
    [{ kind: "turnSoundOff" }, "updateIo"],
  ];
  for (const [request, kind] of others) {
    const { message } = AgentSessionMessage.fromBinary(writeRequest("request_2", request));
    assert.ok(message.case === "request");
    assert.equal(message.value.request.case, kind);
    if (message.value.request.case !== "updateIo") continue;
    const { input, output } = message.value.request.value;
    assert.deepEqual([input?.audioEnabled, output?.audioEnabled], [false, false]);
    assert.equal(output?.transcriptionEnabled, undefined);
  }
  assert.equal(AgentSessionMessage.fromBinary(writePlayed()).message.case, "audioPlaybackFinished");
});

/** A message with fields of all kinds that our code does not need. */
function answer(): livekit.AgentSessionMessage {
  const metrics = new livekit.MetricsReport({ llmNodeTtft: 0.25, e2eLatency: -1e300 });
  const content = ["Grüß", "Gott"].map(
    (value) => new livekit.ChatMessage_ChatContent({ payload: { case: "text", value } }),
  );
  const said = new livekit.ChatMessage({
    id: "item_1",
    role: 3,
    content,
    metrics,
    interrupted: true,
    transcriptConfidence: 0.5,
  });
  const items = [
    new livekit.ChatContext_ChatItem({ item: { case: "message", value: said } }),
    new livekit.ChatContext_ChatItem({
      item: {
        case: "agentConfigUpdate",
        value: new livekit.AgentConfigUpdate({ id: "item_2", toolsAdded: ["a", "b"] }),
      },
    }),
    new livekit.ChatContext_ChatItem({
      item: {
        case: "agentHandoff",
        value: new livekit.AgentHandoff({ id: "item_3", oldAgentId: "one", newAgentId: "two" }),
      },
    }),
  ];
  const value = new livekit.SessionResponse({
    requestId: "request_1",
    response: { case: "getChatHistory", value: new livekit.SessionResponse_GetChatHistoryResponse({ items }) },
  });
  return new AgentSessionMessage({ message: { case: "response", value } });
}

test("answers of LiveKit's own library are read, with fields that are not needed", () => {
  const read = readWorkerMessage(answer().toBinary());
  assert.ok(read.kind === "answer");
  assert.deepEqual([read.requestId, read.of, read.error], ["request_1", "getChatHistory", ""]);
  assert.deepEqual(read.items, [
    { kind: "message", id: "item_1", isAgents: true, texts: ["Grüß", "Gott"] },
    { kind: "handoff", id: "item_3", to: "two" },
  ]);
});

test("a message that is cut off anywhere is an error, or misses only its end", () => {
  const whole = answer().toBinary();
  for (let length = 0; length < whole.length; length++) {
    const cut = whole.subarray(0, length);
    if (length === 0) assert.deepEqual(readWorkerMessage(cut), { kind: "other" });
    else assert.throws(() => readWorkerMessage(cut), RangeError);
  }
});

test("bytes that are no message are an error", () => {
  const wrong = [
    [0x0b],
    [0x0c],
    [0x0e],
    [0x0f],
    [0x00, 1],
    [0x0a, 5, 1],
    [0x09, 1],
    [0x0d, 1],
    [0x08, ...Array(11).fill(0xff)],
  ];
  for (const bytes of wrong) assert.throws(() => readFields(Uint8Array.from(bytes)), RangeError);
  assert.deepEqual(readFields(Uint8Array.of(0x08, 0xac, 0x02)), [{ number: 1, value: 300 }]);
});
