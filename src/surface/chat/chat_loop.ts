import { commandNamed, refusedAction } from "./commands.ts";
import type { Chat } from "./follow_agent.ts";
import type { Said } from "./session.ts";

/** The outcome of an entered line. */
export type Entered = "done" | "failed" | "quit";

/** Advice after a turn that failed. */
const UNDONE = "the call is as it was before the turn: repeat your words, or change the agent's file first";

export async function openChat(chat: Chat): Promise<Entered> {
  return await takeTurn(chat, () => chat.session.open());
}

/** Runs a line: a command, or the caller's words. Errors are shown, and the chat continues. */
export async function enterLine(chat: Chat, entered: string): Promise<Entered> {
  const { session, view } = chat;
  const line = entered.trim();
  if (line === "") return "done";
  if (line.startsWith("/") && !line.startsWith("//")) return await runCommand(chat, line);
  const words = line.startsWith("//") ? line.slice(1) : line;
  view.heard(words);
  if (session.state.endReason !== undefined) {
    view.failed(refusedAction("say this", "the call has ended", "Use /undo, /restart or /save; /quit ends the chat"));
    return "failed";
  }
  return await takeTurn(chat, () => session.say(words));
}

async function runCommand(chat: Chat, line: string): Promise<Entered> {
  const { session, view } = chat;
  const [name = ""] = line.split(/\s/, 1);
  const argument = line.slice(name.length).trim();
  if (name === "/quit" || name === "/exit") return "quit";
  if (name === "/restart") return await takeTurn(chat, () => session.restart());
  try {
    const command = commandNamed(name);
    view.answered(line, await command.run(chat, argument));
    return "done";
  } catch (error) {
    view.failed(error);
    return "failed";
  }
}

async function takeTurn({ session, view }: Chat, turn: () => Promise<Said>): Promise<Entered> {
  try {
    view.turned(await turn(), session.state);
    return "done";
  } catch (error) {
    view.failed(error, UNDONE);
    return "failed";
  }
}
