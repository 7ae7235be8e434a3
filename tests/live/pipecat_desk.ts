import { join } from "node:path";
import { test } from "node:test";
import { connect } from "../../api/connect.ts";
import { startChatServer } from "../chat_server.ts";
import { holdDesk } from "../platforms/connections/_desk_runs.ts";
import { startBot } from "./_bot.ts";
import { answerFor, running } from "./_desk_turns.ts";
import { needsSoftware } from "./_software.ts";

const pipecat = needsSoftware("Pipecat");
const HERE = import.meta.dirname ?? ".";

test("the help desk's scenarios have the same verdicts on a bot of Pipecat", {
  ...pipecat.options,
  timeout: 480_000,
}, async () => {
  await using model = await startChatServer(({ messages }) => answerFor(messages));
  const env = { DESK_MODEL: model.url };
  await using bot = await startBot({ software: pipecat.folder, script: join(HERE, "desk_bot.py"), env });
  const agent = connect.pipecat({ url: bot.url, hangUpMs: 8_000, transfers: ["transfer_call"] });
  await holdDesk(running("a bot", agent), 6);
});
