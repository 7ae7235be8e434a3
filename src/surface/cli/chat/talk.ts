import { type Chat, completeLine, type Entered, enterLine, openChat } from "../../chat/mod.ts";
import type { LineEditor, LineEditorOptions, Terminal } from "../io/mod.ts";
import { PROMPT } from "./text_view.ts";

/**
 * Prompts for lines and runs them, until Ctrl-D or `/quit`. Ctrl-C aborts a reply, and clears a line; pressed
 * again it ends the chat.
 *
 * @param createChat Creates the chat, which writes above the prompt.
 */
export async function talk(
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
