import { createRequire } from "node:module";
import { CallweaveError } from "../../../base/errors.ts";
import type { RegisterTests } from "./runner.ts";

type Body = () => Promise<void>;

/** The part of `bun:test` that is used here. */
interface BunTest {
  readonly describe: (title: string, body: () => void) => void;
  readonly afterAll: (body: Body, timeoutMs?: number) => void;
  readonly test: ((title: string, body: Body, timeoutMs: number) => void) & {
    /** Absent in old versions. */
    readonly concurrent?: (title: string, body: Body, timeoutMs: number) => void;
  };
}

/** Registers tests with `bun:test`. From Bun 1.3 on they run concurrently. */
export const registerWithBun: RegisterTests = ({ title, tests, timeoutMs, after }) => {
  const { describe, afterAll, test } = bunTest();
  describe(title, () => {
    for (const each of tests) (test.concurrent ?? test)(each.title, () => each.run(undefined), timeoutMs);
    afterAll(after, timeoutMs);
  });
};

function bunTest(): BunTest {
  try {
    return createRequire(import.meta.url)("bun:test");
  } catch (cause) {
    throw new CallweaveError("Cannot register tests: the process is not a test run", {
      code: "no-test-runner",
      hint: "Start the file with bun test",
      cause,
    });
  }
}
