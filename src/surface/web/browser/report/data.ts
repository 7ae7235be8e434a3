import type { PageCall, PageData, PageTrial } from "../../page_data.ts";
import { nodeLabel } from "./words.ts";

/** The report's data; calls are parsed on demand. */
export interface ReportSource {
  readonly data: PageData;
  readonly callOf: (trial: PageTrial) => PageCall;
  /** All texts and findings of a trial in lower case, for searching. */
  readonly textOf: (trial: PageTrial) => string;
}

/** Reads the data blocks of the page. A call is parsed on first use. */
export function readSource(): ReportSource {
  const data: PageData = JSON.parse(blockText("report"));
  const calls = new Map<number, PageCall>();
  const texts = new Map<number, string>();
  const callOf = ({ block }: PageTrial): PageCall => {
    const known = calls.get(block);
    if (known) return known;
    const call: PageCall = JSON.parse(blockText(`call-${block}`));
    calls.set(block, call);
    return call;
  };
  const textOf = (trial: PageTrial): string => {
    const known = texts.get(trial.block);
    if (known !== undefined) return known;
    const text = searchable(callOf(trial), trial, data);
    texts.set(trial.block, text);
    return text;
  };
  return { data, callOf, textOf };
}

function blockText(id: string): string {
  return document.getElementById(id)?.textContent ?? "null";
}

function searchable({ lines, verdicts, variables }: PageCall, trial: PageTrial, { nodes }: PageData): string {
  const said = lines.map((line) => {
    if ("text" in line) return line.text;
    if (line.kind === "tool") return `${line.name} ${line.input} ${line.output}`;
    return line.kind === "move" ? line.because : "";
  });
  const judged = verdicts.map(({ criterion, reason }) => `${criterion} ${reason}`);
  const path = trial.path.map((index) => nodeLabel(nodes[index]));
  const values = variables.map(([name, value]) => `${name} ${value}`);
  return [...said, ...judged, ...path, ...values, ...trial.problems, trial.end].join("\n").toLowerCase();
}
