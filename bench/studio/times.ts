import type { Question } from "./requests.ts";
import type { ServerProcess } from "./server.ts";

/** An answer of a server. */
export interface Answered {
  readonly ms: number;
  readonly text: string;
}

/** Asks a server once, and reads the whole answer. */
export async function ask(address: string, path: string): Promise<Answered> {
  const started = performance.now();
  const response = await fetch(`${address}/${path}`);
  const text = await response.text();
  const ms = performance.now() - started;
  if (!response.ok) throw new Error(`GET /${path}: ${response.status} ${text.slice(0, 300)}`);
  return { ms, text };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** The time of a question, and its answer. */
export interface QuestionTime {
  readonly question: Question;
  readonly ms: number;
  /** Processor time of the server for an answer, which other programs on the machine change little. */
  readonly cpuMs: number;
  readonly answer: string;
}

/** Asks a server a question several times. */
export async function timeOf(
  server: ServerProcess,
  question: Question,
  { path, times }: { readonly path: (time: number) => string; readonly times: number },
): Promise<QuestionTime> {
  const found: number[] = [];
  let answer = "";
  const before = await server.usage();
  for (let time = 0; time < times; time++) {
    const { ms, text } = await ask(server.address, path(time));
    found.push(ms);
    answer = text;
  }
  const cpuMs = ((await server.usage()).cpuMs - before.cpuMs) / times;
  return { question, ms: question.isLongest ? Math.max(...found) : median(found), cpuMs, answer };
}
