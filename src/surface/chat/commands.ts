import { UsageError } from "../../base/errors.ts";
import { nearestName, recordAt } from "../../base/values/mod.ts";
import { consideredIn, type Decision } from "./decision.ts";
import type { Chat } from "./follow_agent.ts";
import { variableLine } from "./message_lines.ts";
import type { Step } from "./session.ts";
import { endText, type OutputLine } from "./view.ts";

/** A line that starts with `/`, which the chat carries out instead of saying it to the agent. */
export interface ChatCommand {
  /** Includes the slash: `/undo`. */
  readonly name: string;
  /** Its argument, as help shows it. */
  readonly usage: string;
  readonly summary: string;
  readonly run: (chat: Chat, argument: string) => readonly OutputLine[] | Promise<readonly OutputLine[]>;
}

/** The result of commands that `chat_loop.ts` runs itself. */
const none = () => [];

/** Every command, in the order of the help. */
export const CHAT_COMMANDS: readonly ChatCommand[] = [
  {
    name: "/why",
    usage: "",
    summary: "Why the last transition was taken, or why none was",
    run: ({ session }) => whyLines(session.decisions, session.state.nodeId),
  },
  { name: "/undo", usage: "", summary: "Undo the last turn, /goto, /set or /end", run: undo },
  {
    name: "/goto",
    usage: "NODE",
    summary: "Go to a node; the agent waits for you there",
    run: ({ session }, node) => {
      if (node === "")
        throw refusedAction(
          "go there",
          "/goto needs a node",
          `Name one: ${Object.keys(session.graph.nodes).join(", ")}`,
        );
      session.goTo(node);
      return [line(`at ${node}`)];
    },
  },
  {
    name: "/set",
    usage: "NAME VALUE",
    summary: "Set a variable",
    run: ({ session }, argument) => {
      const [, name, value] = /^(\S+)\s+([\s\S]*)$/.exec(argument) ?? [];
      if (name === undefined || value === undefined)
        throw refusedAction(
          "set a variable",
          "/set needs a name and a value",
          "Write /set NAME VALUE, such as /set order_number 12345",
        );
      const was = Object.entries(session.state.variables).find(([key]) => key === name)?.[1];
      session.set(name, value);
      return [line(variableLine({ name, value, ...(was === undefined ? {} : { was }) }))];
    },
  },
  {
    name: "/vars",
    usage: "",
    summary: "Show the variables",
    run: ({ session }) => {
      const variables = Object.entries(session.state.variables);
      if (variables.length === 0) return [line("no variable is set")];
      return variables.map(([name, value]) => line(variableLine({ name, value })));
    },
  },
  {
    name: "/path",
    usage: "",
    summary: "Show the visited nodes",
    run: ({ session: { state } }) => [
      line(state.nodesVisited.join(" → ")),
      ...(state.endReason === undefined ? [] : [line(endText(state))]),
    ],
  },
  {
    name: "/save",
    usage: "[FILE]",
    summary: "Write the call as a scenario: .ts or .json",
    run: ({ save }, path) => save(path === "" ? undefined : path),
  },
  {
    name: "/end",
    usage: "",
    summary: "Hang up as the caller",
    run: ({ session }) => {
      if (session.state.endReason !== undefined)
        throw refusedAction("hang up", "the call has ended already", "Use /undo, /restart or /save");
      session.hangUp();
      return [line(endText(session.state))];
    },
  },
  { name: "/restart", usage: "", summary: "Restart the call", run: none },
  {
    name: "/help",
    usage: "",
    summary: "Show this list",
    run: ({ help = [] }) => [
      ...CHAT_COMMANDS.map(({ name, usage: rest, summary }) => line(`${`${name} ${rest}`.padEnd(17)} ${summary}`)),
      line("A line that begins with // is said with one slash."),
      ...help.map(line),
    ],
  },
  { name: "/quit", usage: "", summary: "End the chat", run: none },
];

/** @throws {UsageError} `usage`. */
export function commandNamed(name: string): ChatCommand {
  const command = CHAT_COMMANDS.find((each) => each.name === name);
  if (command) return command;
  const near = nearestName(
    name,
    CHAT_COMMANDS.map((each) => each.name),
  );
  throw refusedAction(
    `do "${name}"`,
    "there is no such command",
    near === undefined ? "/help lists the commands" : `Did you mean ${near}?`,
  );
}

function undo({ session }: Chat): readonly OutputLine[] {
  const step = session.undo();
  if (!step) throw refusedAction("undo", "nothing was said or changed", "Say something first");
  const { nodeId, transcript } = session.state;
  const last = transcript.findLast(({ role }) => role === "assistant")?.content;
  return [
    line(`undone: ${stepText(step)}; at ${nodeId}`),
    ...(last === undefined ? [] : [{ text: `the agent's last words: ${last}`, depth: 1 }]),
  ];
}

function stepText({ kind, what }: Step): string {
  if (kind === "said") return `"${what}"`;
  return kind === "hang-up" ? "/end" : `/${kind} ${what}`;
}

function line(text: string): OutputLine {
  return { text, depth: 0 };
}

/** Explains the decisions of a turn: the transitions that were considered, and why each was taken or not. */
export function whyLines(decisions: readonly Decision[], nodeId: string): readonly OutputLine[] {
  if (decisions.length === 0)
    return [
      { text: `there was nothing to decide: the call stayed at ${nodeId}, and no transition was offered`, depth: 0 },
    ];
  return decisions.flatMap((decision) => {
    const { message } = decision;
    const { kind, from, to, because } = message.metadata;
    const head =
      kind === "transition"
        ? `${from} → ${to}: ${because}`
        : `stayed at ${message.node_id}: ${message.content.replace(/^no transition taken: /, "").replace(/; reasoning: .*$/, "")}`;
    const ways = consideredIn(decision).map(
      ({ target, kind: way, condition, outcome }): OutputLine => ({
        text: `to ${target} (${way}): ${condition} — ${outcome}`,
        depth: 1,
        mark: outcome === "taken" ? "✓" : "·",
      }),
    );
    return [
      { text: head, depth: 0 },
      ...ways,
      ...answerLines(recordAt(message.metadata, "decision")).map((text) => ({ text, depth: 1, mark: "=" })),
    ];
  });
}

function answerLines(answer: { readonly [key: string]: unknown }): readonly string[] {
  if (Object.keys(answer).length === 0) return ["no model was asked"];
  const { objectives_complete: complete, transition_to: pick, reasoning } = answer;
  return [
    `model: the objectives are ${complete === false ? "not " : ""}complete; it picks ${JSON.stringify(pick)}`,
    ...(typeof reasoning === "string" && reasoning.trim() !== "" ? [`reasoning: ${reasoning.trim()}`] : []),
  ];
}

/** The error of an action that a chat cannot do: `Cannot undo: there is no turn`. */
export function refusedAction(action: string, state: string, hint: string): UsageError {
  return new UsageError(`Cannot ${action}: ${state}`, { code: "usage", hint });
}
