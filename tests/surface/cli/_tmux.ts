import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { programPath } from "../../programs.ts";

/** A terminal in which a command runs. */
export interface TestTerminal extends Disposable {
  /** Resolves with the screen once it contains this. */
  readonly shows: (pattern: RegExp) => Promise<string>;
  /** Presses a key by tmux's name: `Enter`, `C-c`. */
  readonly press: (key: string) => void;
  /** Types a text. */
  readonly type: (text: string) => void;
  /** Pastes a text, as a terminal with bracketed paste does. */
  readonly paste: (text: string) => void;
  readonly resize: (columns: number) => void;
}

/** Attempts until a screen counts as never showing the expected text: more than a minute and a half. */
const MOST_LOOKS = 1_500;

/** A command in a terminal of its own. */
export function startTerminal(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  { width, height }: { readonly width: number; readonly height: number },
): TestTerminal {
  const tmux = (...args: readonly string[]) =>
    execFileSync(programPath("tmux"), ["-S", join(cwd, "tmux"), ...args], { encoding: "utf8" });
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const line = ["env", "-u", "CI", ...variables, ...command.map(quoted)].join(" ");
  // the exit code is shown below, and the terminal stays open
  tmux(
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    "-x",
    `${width}`,
    "-y",
    `${height}`,
    "-c",
    cwd,
    `${line}; echo exit=$?; cat`,
  );
  return {
    shows: async (pattern) => {
      for (let looks = 1; ; looks++) {
        const screen = tmux("capture-pane", "-p", "-S", "-100");
        if (pattern.test(screen)) return screen;
        if (looks === MOST_LOOKS) throw new Error(`the terminal does not show ${pattern}, but\n${screen}`);
        await pause(50);
      }
    },
    press: (key) => void tmux("send-keys", key),
    type: (text) => void tmux("send-keys", "-l", text),
    paste: (text) => {
      tmux("set-buffer", text);
      tmux("paste-buffer", "-p");
    },
    resize: (columns) => void tmux("resize-window", "-x", `${columns}`, "-y", `${height}`),
    [Symbol.dispose]: () => void tmux("kill-server"),
  };
}
