import assert from "node:assert/strict";
import { test } from "node:test";
import { startStream } from "../../../../platforms/twilio/talk/stream.ts";
import type { AgentSocket } from "../../../../src/call/connection/mod.ts";

test("a key of the telephone is a dtmf message of the stream", () => {
  const sent: { readonly [key: string]: unknown }[] = [];
  const socket: AgentSocket = {
    protocol: "",
    isOpen: true,
    waiting: 0,
    send: (message) => void sent.push(Object(message)),
    receive: () => Promise.reject(new Error("not used")),
    receiveJson: () => Promise.reject(new Error("not used")),
    readJson: () => ({}),
    close: async () => {},
  };
  const { wire } = startStream(socket, { name: "tones", customParameters: {} });
  wire.dtmf?.("1");
  wire.dtmf?.("#");
  const { streamSid } = sent[1] ?? {};
  assert.deepEqual(sent.slice(2), [
    { event: "dtmf", sequenceNumber: "2", streamSid, dtmf: { track: "inbound_track", digit: "1" } },
    { event: "dtmf", sequenceNumber: "3", streamSid, dtmf: { track: "inbound_track", digit: "#" } },
  ]);
});
