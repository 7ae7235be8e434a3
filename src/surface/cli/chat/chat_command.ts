import { PLAIN, styleFor } from "../../../base/values/mod.ts";
import { nodeNames } from "../../../document/graph/mod.ts";
import { type Chat, ChatSession, type ChatView, followAgent, prepareChat } from "../../chat/mod.ts";
import { loadSource } from "../../project/mod.ts";
import { type Command, usage } from "../arguments/mod.ts";
import { CALL_FLAGS, GRAPH_FLAGS, readRunOptions, SOURCE_FLAGS } from "../run/mod.ts";
import { createJsonView } from "./json_view.ts";
import { readLines } from "./read_lines.ts";
import { readStart } from "./read_start.ts";
import { saveChat } from "./save_chat.ts";
import { talk } from "./talk.ts";
import { createTextView, OFFLINE_NOTE } from "./text_view.ts";

/** Lines of `/help` about the keys of the prompt. */
const KEYS = ["Ctrl-C aborts a reply, Ctrl-D ends the chat."];

/** `callweave chat`. */
export const chatCommand: Command = {
  name: "chat",
  summary: "Talk to an agent in the terminal",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      model: CALL_FLAGS.model,
      var: { value: "NAME=VALUE", repeats: true, description: "Start variable of the call; repeatable" },
      scenario: { value: "NAME", description: "Take the variables and the mocks of this scenario" },
      ...SOURCE_FLAGS,
      turn: CALL_FLAGS.turn,
      "live-tools": CALL_FLAGS["live-tools"],
      "try-timeout": CALL_FLAGS["try-timeout"],
      now: CALL_FLAGS.now,
      ...GRAPH_FLAGS,
      json: { description: "Print JSON, one object per line: each turn, command and error" },
    },
  },
  notes: [
    "Words appear as the model streams them. /help lists the commands: /why, /undo, /goto, /set, /save and others.",
    "If standard input is not a terminal, each line is a message of the caller or a command, and the output is plain.",
    "The default model is that of run; without a key, the offline model.",
    "Exit codes: 0 success; 2 wrong usage or input; 3 a turn or a command failed, if lines are read from a file or a pipe.",
  ],
  examples: [
    "callweave chat flow.ts",
    "callweave chat flow.ts --model openai/gpt-5-mini --var caller_name=Ana",
    "callweave chat flow.ts --scenarios scenarios.ts --scenario 'returns a book'",
    "callweave chat flow.ts --json < lines.txt",
  ],
  run: async (args, terminal) => {
    const path = args.at("SOURCE");
    if (path === "-")
      throw usage(
        "the agent cannot be read from standard input",
        "Pass a file; standard input is used for the conversation",
      );
    const selected = { exportName: args.text("export"), format: args.text("from") };
    const source = await loadSource(path, terminal, selected);
    const settings = await readRunOptions(source, args, terminal);
    const start = await readStart(source.exports, args, terminal);
    const prepared = await prepareChat(source, settings, start, terminal.signal);
    const createChat = (view: ChatView): Chat => {
      const session = new ChatSession(source.graph, prepared.options, view);
      view.started({ ...prepared.header, nodeId: session.state.nodeId });
      return { session, view, save: (file) => saveChat(session, start, { source, path }, file) };
    };
    const named = nodeNames(source.graph).inText;
    const { edit, out, err } = terminal;
    if (args.has("json")) return await readLines(createChat(createJsonView(out)), terminal);
    if (!edit) {
      if (prepared.header.offline) err(`${OFFLINE_NOTE}\n`);
      return await readLines(
        createChat(createTextView({ write: out, writeError: err, style: () => PLAIN, isTerminal: false, named })),
        terminal,
      );
    }
    const style = () => styleFor(terminal.stdout, terminal.env);
    const over = new AbortController();
    const signal = AbortSignal.any([terminal.signal, over.signal]);
    await talk(edit, signal, (write) => {
      const chat = { ...createChat(createTextView({ write, style, isTerminal: true, named })), help: KEYS };
      followAgent(chat, { path, ...selected }, signal).catch((error: unknown) => chat.view.failed(error));
      return chat;
    });
    over.abort();
    return 0;
  },
};
