/** Passes typed text to a line editor, one line at a time. */
export interface KeyGate {
  /** Takes what was typed or pasted. */
  readonly feed: (chunk: string) => void;
  /** Lets text through up to the end of the next line, starting with what was typed while the gate was closed. */
  readonly open: () => void;
}

const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";
const INTERRUPT = "\u0003";

/**
 * Creates a closed gate. While it is closed, typed text is buffered; Ctrl-C discards it. A paste
 * becomes one line: its line breaks and tabs become spaces.
 *
 * @param forward Passes text to the editor.
 * @param onInterrupt Called for Ctrl-C while the gate is closed.
 */
export function createKeyGate(forward: (text: string) => void, onInterrupt: () => void): KeyGate {
  let isOpen = false;
  let isPaste = false;
  /** The start of an escape sequence whose rest is in the next chunk. */
  let partial = "";
  let waiting = "";

  const pump = () => {
    while (isOpen && waiting !== "") {
      const end = waiting.search(/[\r\n]/);
      const next = end < 0 ? waiting : waiting.slice(0, end + 1);
      waiting = waiting.slice(next.length);
      if (end >= 0) {
        if (next.endsWith("\r") && waiting.startsWith("\n")) waiting = waiting.slice(1);
        isOpen = false;
      }
      forward(next);
    }
  };
  const typed = (text: string) => {
    const at = isOpen ? -1 : text.lastIndexOf(INTERRUPT);
    if (at < 0) {
      waiting += text;
      return;
    }
    waiting = text.slice(at + 1);
    for (const character of text) if (character === INTERRUPT) onInterrupt();
  };
  return {
    feed: (chunk) => {
      let text = partial + chunk;
      for (;;) {
        const code = isPaste ? PASTE_END : PASTE_BEGIN;
        const at = text.indexOf(code);
        const whole = at < 0 ? text.slice(0, text.length - beginLength(text, code, isPaste)) : text.slice(0, at);
        if (isPaste) waiting += oneSpokenLine(whole);
        else typed(whole);
        pump();
        if (at < 0) {
          partial = text.slice(whole.length);
          return;
        }
        text = text.slice(at + code.length);
        isPaste = !isPaste;
      }
    },
    open: () => {
      isOpen = true;
      pump();
    },
  };
}

/** Length of the text's end that may be an incomplete escape sequence. A single escape outside a paste is the key. */
function beginLength(text: string, code: string, isPaste: boolean): number {
  for (let length = code.length - 1; length >= (isPaste || text.length > 1 ? 1 : 2); length--)
    if (text.endsWith(code.slice(0, length))) return length;
  return 0;
}

function oneSpokenLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, " ").replace(/\p{Cc}/gu, "");
}
