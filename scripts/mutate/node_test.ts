/** Stands in for `node:test` while mutants run: it keeps the tests instead of running them, so that one process runs them many times. */
export interface KeptTest {
  readonly name: string;
  readonly run: (context: { skip: () => void }) => unknown;
}

type Body = KeptTest["run"];

const kept: KeptTest[] = [];

export function test(name: string, ...rest: readonly (Body | Record<string, unknown>)[]): void {
  const run = rest.find((part) => typeof part === "function");
  if (run) kept.push({ name, run });
}

/** The tests that the files imported since the last call have declared. */
export function takeTests(): KeptTest[] {
  return kept.splice(0);
}
