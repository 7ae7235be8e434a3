import assert from "node:assert/strict";
import * as v from "valibot";
import { SCHEMAS } from "../../../src/surface/studio/api/mod.ts";

/** Every answer has to be what its schema says. */
export function fits(name: keyof typeof SCHEMAS, answer: unknown): void {
  const { success, issues } = v.safeParse(SCHEMAS[name].answer, answer);
  const wrong = issues?.map(({ path, message }) => [path?.map(({ key }) => key), message]);
  assert.ok(success, `${name}: ${JSON.stringify(wrong)}`);
}
