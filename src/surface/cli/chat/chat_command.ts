import { existsSync } from "node:fs";
import { isCallweaveError } from "../../../base/errors.ts";
import { type JsonObject, PLAIN, styleFor, thrownWords } from "../../../base/values/mod.ts";
import { nodeNames } from "../../../document/graph/mod.ts";
import { parseScenarios, type Scenario } from "../../../document/scenario/mod.ts";
import {
  type Chat,
  ChatSession,
  type ChatStart,
  type ChatView,
  chatScenario,
  completeLine,
  type Entered,
  enterLine,
  followAgent,
  type OutputLine,
  openChat,
  prepareChat,
  refusedAction,
} from "../../chat/mod.ts";
import { type AgentSource, exportedScenarios, isModulePath, loadScenarios, loadSource } from "../../project/mod.ts";
import { type Arguments, type Command, type ExitCode, usage } from "../arguments.ts";
import { scenarioText } from "../generate.ts";
import { checkWritableFile, type LineEditor, type LineEditorOptions, type Terminal, writeTextFile } from "../io/mod.ts";
import { CALL_FLAGS, GRAPH_FLAGS, readRunOptions, SOURCE_FLAGS } from "../run/mod.ts";
import { selectScenarios } from "../sources.ts";
import { createTextView, OFFLINE_NOTE, PROMPT } from "./text_view.ts";

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

/** Shows a chat as JSON, one object a line, for programs. */
function createJsonView(write: (text: string) => void): ChatView {
  let said = "";
  const print = (type: string, rest: object) => write(`${JSON.stringify({ type, ...rest })}\n`);
  const nothing = () => {};
  return {
    started: (header) => print("start", header),
    heard: (words) => {
      said = words;
    },
    onToken: nothing,
    onMessage: nothing, // the turn has them
    onVariables: nothing,
    onRetry: nothing,
    turned: (turn, { variables, endDetail }) => {
      const words = said === "" ? {} : { said };
      said = "";
      if (turn !== "aborted")
        print("turn", { ...words, ...turn, variables, ...(endDetail === undefined ? {} : { endDetail }) });
    },
    answered: (command, lines) => print("command", { command, lines: lines.map(({ text }) => text) }),
    failed: (error) => {
      said = "";
      if (!isCallweaveError(error)) return print("error", { code: "internal", message: thrownWords(error) });
      const { code, message, path, hint } = error;
      print("error", { code, message, path, ...(hint === undefined ? {} : { hint }) });
    },
    noted: (text) => print("note", { text }),
  };
}

/**
 * Handles each line of standard input as the caller's words or a command, as it arrives.
 *
 * @returns 3 when a turn or a command has failed.
 */
async function readLines(chat: Chat, terminal: Terminal): Promise<ExitCode> {
  let failures = (await openChat(chat)) === "failed" ? 1 : 0;
  for await (const line of linesOf(terminal)) {
    const entered = await enterLine(chat, line);
    if (entered === "quit") break;
    if (entered === "failed") failures += 1;
  }
  return failures > 0 || terminal.signal.aborted ? 3 : 0;
}

async function* linesOf({ lines, input, signal }: Terminal): AsyncGenerator<string> {
  if (!lines) {
    yield* (await input()).split(/\r?\n/);
    return;
  }
  const aborted = new Promise<{ readonly done: true }>((resolve) => {
    if (signal.aborted) resolve({ done: true });
    signal.addEventListener("abort", () => resolve({ done: true }), { once: true });
  });
  const arriving = lines()[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([arriving.next(), aborted]);
    if (next.done === true) return;
    yield next.value;
  }
}

/**
 * Reads the variables and mocks that a chat starts with: those of a scenario, and of `--var`.
 *
 * @param exports Exports of the agent's module, where no file of scenarios is named.
 * @throws {UsageError} `usage`; what `loadScenarios` throws.
 */
async function readStart(exports: JsonObject, args: Arguments, terminal: Terminal): Promise<ChatStart> {
  const scenario = await chosenScenario(exports, args, terminal);
  return {
    variables: { ...scenario?.dynamic_variables, ...readVariables(args.texts("var")) },
    mocks: scenario?.tool_mocks ?? [],
  };
}

/** Parses the `NAME=VALUE` of each flag. */
function readVariables(texts: readonly string[]): { readonly [name: string]: string } {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw usage(`--var is "${text}"`, "Write a name and a value: --var caller_name=Ana");
      return [name.trim(), value];
    }),
  );
}

async function chosenScenario(exports: JsonObject, args: Arguments, terminal: Terminal): Promise<Scenario | undefined> {
  const name = args.text("scenario");
  if (name === undefined) return undefined;
  const files = [...args.texts("scenarios"), ...args.texts("tests")]; // may be set in the project's configuration
  const loaded = await Promise.all(files.map((file) => loadScenarios(file, terminal)));
  const scenarios = files.length > 0 ? loaded.flat() : parseScenarios(exportedScenarios(exports));
  if (scenarios.length === 0)
    throw usage("there are no scenarios", "Name a file: --scenarios scenarios.ts, or --tests tests.json");
  return selectScenarios(scenarios, { names: [name], tags: [] })[0];
}

/**
 * Writes the call as a scenario into a new file: JSON if its name ends in `.json`, else a module.
 *
 * @param given Default: `chat_1.ts`, or the next number that is free; `.json` for an agent that is no module.
 * @throws {UsageError} `usage` when the file exists, or nothing was said yet.
 */
async function saveChat(
  session: ChatSession,
  start: ChatStart,
  agent: { readonly source: AgentSource; readonly path: string },
  given: string | undefined,
): Promise<readonly OutputLine[]> {
  const path = given ?? freeName(isModulePath(agent.path) ? "ts" : "json");
  if (!path.endsWith(".json") && !isModulePath(path))
    throw refusedAction(
      `save "${path}"`,
      "its extension is neither .ts nor .json",
      "Name a file that ends in .ts or .json",
    );
  if (existsSync(path))
    throw refusedAction(`save "${path}"`, "the file exists", "Name a new file; no file is overwritten");
  const { scenario, warnings } = chatScenario(session, start);
  if (scenario.says.length === 0) throw refusedAction("save the call", "you have said nothing", "Say something first");
  await checkWritableFile(path);
  const source = { ...agent.source, graph: session.graph };
  await writeTextFile(path, scenarioText([scenario], { path, source, sourcePath: agent.path }));
  const flag = path.endsWith(".json") ? "--tests" : "--scenarios";
  return [
    { text: `saved ${path}; run it: npx callweave run ${agent.path} ${flag} ${path}`, depth: 0 },
    ...warnings.map((text) => ({ text: `note: ${text}`, depth: 1 })),
  ];
}

function freeName(ending: string): string {
  for (let number = 1; ; number++) {
    const name = `chat_${number}.${ending}`;
    if (!existsSync(name)) return name;
  }
}

/**
 * Prompts for lines and runs them, until Ctrl-D or `/quit`. Ctrl-C aborts a reply, and clears a line; pressed
 * again it ends the chat.
 *
 * @param createChat Creates the chat, which writes above the prompt.
 */
async function talk(
  edit: (options: LineEditorOptions) => Promise<LineEditor>,
  signal: Terminal["signal"],
  createChat: (write: LineEditor["print"]) => Chat,
): Promise<void> {
  let chat: Chat | undefined;
  let presses = 0;
  let quit = () => {};
  const stopped = new Promise<Entered>((resolve) => {
    quit = () => resolve("quit");
  });
  signal.addEventListener("abort", quit, { once: true });
  using editor = await edit({
    signal,
    complete: (line) => (chat ? completeLine(line, chat.session) : [[], line]),
    onInterrupt: () => {
      presses += 1;
      if (presses > 1) quit();
      chat?.session.abort();
    },
  });
  chat = createChat(editor.print);
  const until = (work: Promise<Entered>) => Promise.race([work, stopped]); // a tool may ignore the abort
  let entered = await until(openChat(chat));
  while (entered !== "quit") {
    const typed = await editor.ask(PROMPT);
    if (typed === "end") break;
    if ("line" in typed) {
      presses = 0;
      entered = await until(enterLine(chat, typed.line));
    } else if (typed.interrupted === "") {
      presses += 1;
      if (presses > 1) break;
      chat.view.noted("Ctrl-C again, Ctrl-D or /quit ends the chat");
    }
  }
  chat.session.abort();
}
