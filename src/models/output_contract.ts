import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { OutputContract } from "./signature.ts";

/** The contract that a valibot schema stands for. */
export function contractOf<Output>(schema: v.GenericSchema<unknown, Output>): OutputContract<Output> {
  return {
    schema: { ...toJsonSchema(schema, { target: "draft-07", errorMode: "ignore" }) },
    strict: true,
    read: (answer) => {
      const result = v.safeParse(schema, answer);
      if (result.success) return { output: result.output };
      const [issue] = result.issues;
      const place = v.getDotPath(issue);
      return { problem: place ? `${place}: ${issue.message}` : issue.message };
    },
  };
}
