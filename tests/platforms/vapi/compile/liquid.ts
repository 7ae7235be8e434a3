import { Liquid } from "liquidjs";
import type { JsonObject } from "../../../../src/values/mod.ts";
import { records } from "./graphs.ts";

const engine = new Liquid();

/** Whether a tool's `rejectionPlan` vetoes its call, as a Liquid engine renders it over the variables of a call. */
export function isVetoed(tool: JsonObject, variables: JsonObject): boolean {
  const rendered = records(tool, "rejectionPlan", "conditions").map((condition) =>
    engine.parseAndRenderSync(String(condition.liquid), variables),
  );
  for (const text of rendered) if (text !== "true" && text !== "false") throw new Error(`printed "${text}"`);
  return rendered.includes("true");
}
