/** A test, for any runner. */
export interface TestCase {
  readonly title: string;
  /** @param signal Aborts when the runner stops the test. */
  readonly run: (signal: AbortSignal | undefined) => Promise<void>;
}

/** Tests with a common title. */
export interface TestGroup {
  readonly title: string;
  readonly tests: readonly TestCase[];
  /** The runner's time limit of a test. */
  readonly timeoutMs: number;
  /** Called after the selected tests. */
  readonly after: () => Promise<void>;
}

/** Registers tests with the test runner of this process. */
export type RegisterTests = (group: TestGroup) => void;
