/** Replaces `node:test` while mutants run: it records the tests instead of running them, so that one process can run them many times. */
export interface KeptTest {
  readonly name: string;
  readonly run: (context: TestContext) => unknown;
}

/** The part of a test's context that the tests use. */
export interface TestContext {
  readonly skip: () => void;
  readonly diagnostic: () => void;
  readonly after: (clean: () => unknown) => void;
}

type Body = KeptTest["run"];

const kept: KeptTest[] = [];

export function test(name: string, ...rest: readonly (Body | Record<string, unknown>)[]): void {
  const run = rest.find((part) => typeof part === "function");
  if (run) kept.push({ name, run });
}

/** The tests declared by the files that were imported since the last call. */
export function takeTests(): KeptTest[] {
  return kept.splice(0);
}
