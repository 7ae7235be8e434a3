/** A test, as every runner knows it. */
export interface TestCase {
  readonly title: string;
  /** @param signal Aborted when the runner stops the test. */
  readonly run: (signal: AbortSignal | undefined) => Promise<void>;
}

/** Tests with a common title. */
export interface TestGroup {
  readonly title: string;
  readonly tests: readonly TestCase[];
  /** Time limit of a test for the runner. */
  readonly timeoutMs: number;
  /** Called after the tests that the runner has chosen. */
  readonly after: () => Promise<void>;
}

/** Registers tests with the test runner of this process. */
export type RegisterTests = (group: TestGroup) => void;
