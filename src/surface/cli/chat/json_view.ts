import { isCallweaveError } from "../../../base/errors.ts";
import { thrownWords } from "../../../base/values/mod.ts";
import type { ChatView } from "../../chat/mod.ts";

/** Shows a chat as JSON, one object a line, for programs. */
export function createJsonView(write: (text: string) => void): ChatView {
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
