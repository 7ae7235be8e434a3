/** A message from `scripts/mutate.ts` to the process that runs the tests. */
export interface Job {
  /** Absolute path → source with all mutants, each behind a switch. */
  readonly sources: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
  /** Absent: the process first runs all tests without a mutant and answers with their coverage. */
  readonly coverage?: Coverage;
  readonly mutants: readonly string[];
}

export interface Coverage {
  /** Mutants that run while modules load, with the number of times. */
  readonly static: Readonly<Record<string, number>>;
  /** Test → mutants that it reaches. */
  readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Test → milliseconds without a mutant. */
  readonly times: Readonly<Record<string, number>>;
}

export type Status = "killed" | "survived" | "timeout" | "not covered";

/** An answer of that process. */
export type Answer =
  | { readonly kind: "coverage"; readonly coverage: Coverage }
  | { readonly kind: "failed"; readonly test: string; readonly error: string }
  | { readonly kind: "start"; readonly mutant: string }
  | { readonly kind: "result"; readonly mutant: string; readonly status: Status; readonly test?: string };
