import assert from "node:assert/strict";
import { test } from "node:test";
import { run, scenario } from "../../../../mod.ts";
import { elevenLabsConnection } from "../../../../platforms/elevenlabs/talk/conversation.ts";
import { FAST } from "../../../call/voice/_spoken.ts";
import { keyed, statuses } from "../../connections/_runs.ts";
import { CALLER } from "../../connections/_voice_platforms.ts";
import { AGENT_ID, startElevenLabs } from "./_server.ts";

test("words that ElevenLabs writes down are compared with those that were said", async () => {
  await using server = await startElevenLabs({ voice: { caller: "pcm_16000", agent: "pcm_16000" } });
  using _ = keyed("elevenlabs");
  const agent = elevenLabsConnection({ agentId: AGENT_ID, baseUrl: server.url, voice: CALLER }, { clock: FAST });
  const asks = scenario("asks").says("Where is my order?").wordErrors(0);
  const report = await run(agent, [asks], { store: false, connection: { allowRealTools: true } });
  assert.deepEqual(statuses(report), ["pass"]);
  const [{ connection } = { connection: undefined }] = report.results;
  const words = connection?.voice?.words.filter(({ by }) => by === "caller");
  assert.deepEqual(words, [{ by: "caller", turn: 1, said: "Where is my order?", heard: "Where is my order?" }]);
  assert.match(report.results[0]?.checks[0]?.reason ?? "", /^0 % of 4 words of the caller/);
});
