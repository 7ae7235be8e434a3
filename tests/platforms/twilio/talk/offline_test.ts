import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { offlineSpeech, run, scenario } from "../../../../mod.ts";
import { atRate, readWave, toInt16 } from "../../../../src/call/audio/mod.ts";
import { needsProgram } from "../../../programs.ts";
import { statuses } from "../../connections/_runs.ts";
import { startTwilio } from "./_bot.ts";

async function spoken(text: string): Promise<Int16Array> {
  const { audio } = await offlineSpeech().doGenerate({ text });
  if (typeof audio === "string") throw new TypeError("unreachable: espeak-ng writes bytes");
  return toInt16(atRate(await readWave(audio), 8000));
}

test("a scenario by voice, spoken by espeak-ng and written down by pocketsphinx", {
  ...needsProgram("espeak-ng", "pocketsphinx"),
  timeout: 120_000,
}, async () => {
  const sound = await spoken("Your order will arrive on Tuesday.");
  await using server = await startTwilio({ replies: [undefined, { acts: [{ sound }] }] });
  const agent = connect.twilio({ url: server.socketUrl, opening: false, hangUpMs: 0 });
  // what pocketsphinx hears over a telephone line depends on the sound alone
  const asks = scenario("asks").says("Where is my order?").includes("will arrive on").excludes("Monday");
  const wrong = scenario("wrong").says("Where is my order?").includes("Monday");
  const report = await run(agent, [asks, wrong], { store: false });
  const [first, second] = statuses(report);
  assert.equal(first, "pass", report.results[0]?.transcript.at(-1)?.content);
  assert.match(second ?? "", /^fail: includes Monday/);
  const voiced = server.bots[0]?.media.filter(({ samples }) => samples.some((sample) => Math.abs(sample) > 500));
  assert.ok((voiced?.length ?? 0) > 25, "half a second of the caller's voice");
});
