import process from "node:process";
import type { RegisterTests } from "./runner.ts";

/** The part of Vitest that is used here. */
interface Vitest {
  readonly describe: (title: string, body: () => void) => void;
  readonly afterAll: (body: () => Promise<void>, timeoutMs?: number) => void;
  readonly test: {
    readonly concurrent: (
      title: string,
      options: { readonly timeout: number },
      body: (context: { readonly signal?: AbortSignal }) => Promise<void>,
    ) => void;
  };
}

/** A variable, so that compilers and bundlers do not resolve Vitest if it is not installed. */
const VITEST = "vitest";
/** Vitest must be loaded here: a test file that registers its tests asynchronously has no tests. */
const vitest: Vitest | undefined = process.env.VITEST ? await import(VITEST) : undefined;

/** Registers tests with Vitest, which runs up to `maxConcurrency` of them concurrently; `undefined` without it. */
export const registerWithVitest: RegisterTests | undefined =
  vitest &&
  (({ title, tests, timeoutMs, after }) => {
    vitest.describe(title, () => {
      for (const each of tests)
        vitest.test.concurrent(each.title, { timeout: timeoutMs }, async ({ signal }) => {
          await each.run(signal);
        });
      vitest.afterAll(after, timeoutMs);
    });
  });
