/** A line of a transcript in plain text. */
export interface LabelledLine {
  /** The raw line. */
  readonly whole: string;
  /** Before the colon; absent for a line without a label. */
  readonly label?: string;
  /** After the colon, or the whole line. */
  readonly text: string;
  /** From a time such as `01:12`, in milliseconds. */
  readonly offsetMs?: number;
  /** From a date and time, in milliseconds since 1970. */
  readonly timeMs?: number;
}

const CLOCK = String.raw`(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?`;
const DATE = String.raw`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?`;
const TIME = String.raw`[[(<]?\s*(?<DATE>${DATE}|${CLOCK})(?:\s*-->?\s*${CLOCK})?\s*[\])>]?`;
const LABEL = String.raw`(?<LABEL>\p{L}[\p{L}\p{N} .'_-]{0,39})`;
const LABELLED = new RegExp(
  String.raw`^\s*(?:${TIME.replace("DATE", "before")}\s*[-–—|]?\s*)?\*{0,2}${LABEL.replace("LABEL", "label")}\s*(?:${TIME.replace("DATE", "after")})?\s*\*{0,2}:\*{0,2}(?:\s+(?<text>.*)|$)`,
  "u",
);

const [SECOND, MINUTE] = [1_000, 60];

/** Reads a line such as `[00:12] Agent: Hello` or `Maria (10:02:11): Hello`. */
export function readLine(line: string): LabelledLine {
  const { label, before, after, text = "" } = LABELLED.exec(line)?.groups ?? {};
  if (label === undefined) return { whole: line, text: line };
  return { whole: line, label: label.trim(), text: text.trim(), ...timeOf(before ?? after) };
}

function timeOf(time: string | undefined): { readonly offsetMs?: number; readonly timeMs?: number } {
  if (time === undefined) return {};
  if (time.includes("-")) {
    const zone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(time.slice(10)) ? "" : "Z"; // a time without a zone is read as UTC on every machine
    const timeMs = Date.parse(`${time.replace(" ", "T")}${zone}`);
    return Number.isFinite(timeMs) ? { timeMs } : {};
  }
  const seconds = time
    .replace(",", ".")
    .split(":")
    .reduce((sum, part) => sum * MINUTE + Number(part), 0);
  return { offsetMs: seconds * SECOND };
}
