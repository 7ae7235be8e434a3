import { Liquid } from "liquidjs";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { records } from "./graphs.ts";

const engine = new Liquid();

/** Whether a tool's `rejectionPlan` rejects a call with the given variables, rendered by a Liquid engine. */
export function isVetoed(tool: JsonObject, variables: JsonObject): boolean {
  const rendered = records(tool, "rejectionPlan", "conditions").map((condition) =>
    engine.parseAndRenderSync(String(condition.liquid), variables),
  );
  for (const text of rendered) if (text !== "true" && text !== "false") throw new Error(`printed "${text}"`);
  return rendered.includes("true");
}
