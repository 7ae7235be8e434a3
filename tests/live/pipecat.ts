import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "../../api/connect.ts";
import { run, scenario } from "../../mod.ts";
import { type ChatRequest, startChatServer } from "../chat_server.ts";
import { statuses } from "../platforms/connections/_runs.ts";
import { startBot } from "./_bot.ts";
import { needsSoftware } from "./_software.ts";

const { folder, options } = needsSoftware("Pipecat");
const LIMITED = { ...options, timeout: 240_000 };
const BOT = join(import.meta.dirname ?? ".", "desk_bot.py");

/** Answers as the bot's model. */
function answer({ messages }: ChatRequest) {
  const last = messages.at(-1);
  const words = String(last?.content);
  if (last?.role === "tool") return { say: "It is shipped and arrives on Friday." };
  if (last?.role !== "user") return { say: "Lamp shop, what is your order number?" };
  if (words.includes("Goodbye")) return { call: { name: "end_call", arguments: {} } };
  return { call: { name: "look_up_order", arguments: { order_number: "A-1042" } } };
}

test("a bot of Pipecat: opening, a function, an answer, a wrong reply and the end", LIMITED, async () => {
  await using model = await startChatServer(answer);
  await using bot = await startBot({ software: folder, script: BOT, env: { DESK_MODEL: model.url } });
  const agent = connect.pipecat({ url: bot.url, hangUpMs: 8_000 });
  const whole = scenario("whole")
    .says("It is A-1042.", "Goodbye.")
    .calls("look_up_order", { order_number: "A-1042" })
    .includes("order number", "arrives on Friday")
    .ends("agent_ended");
  const wrong = scenario("wrong").says("It is A-1042.").includes("lost at sea");
  const report = await run(agent, [whole, wrong], { store: false, connection: { allowRealTools: true } });
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "fail"],
    statuses(report).join("\n"),
  );
  const [first] = report.results;
  assert.equal(first?.transcript[0]?.content, "Lamp shop, what is your order number?");
  const [looked] = first?.toolsCalled ?? [];
  assert.deepEqual(
    [looked?.name, looked?.arguments, looked?.result],
    ["look_up_order", { order_number: "A-1042" }, { status: "shipped", arrives: "Friday" }],
  );
});
