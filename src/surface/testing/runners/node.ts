import { after, describe, test } from "node:test";
import type { RegisterTests } from "./runner.ts";

/** Registers tests with `node:test`, which runs the tests of a group concurrently. */
export const registerWithNode: RegisterTests = ({ title, tests, timeoutMs, after: afterAll }) => {
  describe(title, { concurrency: true }, () => {
    for (const each of tests)
      test(each.title, { timeout: timeoutMs }, async ({ signal }) => {
        await each.run(signal);
      });
    after(afterAll);
  });
};
