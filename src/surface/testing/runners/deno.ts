import type { RegisterTests } from "./runner.ts";

/** The part of `Deno.test` that is used here. */
interface DenoTest {
  (options: { readonly name: string; readonly fn: () => Promise<void> } & Sanitizers): void;
  /** Absent before Deno 2.5. */
  readonly afterAll?: (body: () => Promise<void>) => void;
}

/** A run keeps its database and connections open from the first test to the last, which Deno would report as leaks. */
interface Sanitizers {
  readonly sanitizeOps: false;
  readonly sanitizeResources: false;
}

/** Registers tests with `Deno.test`, which runs them sequentially. */
export function registerWithDeno(denoTest: DenoTest): RegisterTests {
  return ({ title, tests, after }) => {
    let left = tests.length;
    denoTest.afterAll?.(after);
    for (const each of tests)
      denoTest({
        name: `${title} > ${each.title}`,
        sanitizeOps: false,
        sanitizeResources: false,
        fn: async () => {
          left -= 1;
          try {
            await each.run(undefined);
          } finally {
            if (left === 0 && !denoTest.afterAll) await after();
          }
        },
      });
  };
}
