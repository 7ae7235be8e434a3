import { flow, text } from "../../dsl/mod.ts";
import { isRecord } from "../../src/base/values/mod.ts";

/** Keys of maps by name, in which another key is another thing and no setting. */
const MAPS =
  /^(?:nodes|edges|properties|headers|request_headers|tools|dynamic_variable_placeholders|default_dynamic_variables|dynamic_variables|callweave|metadata|built_in_tools)$/;

/** Adds a setting to every object inside of a resource but maps by name, schemas of arguments and what users keep there. */
export function withSettings(value: unknown, key = "", depth = 0): unknown {
  if (key === "parameters" || key === "metadata") return value;
  if (Array.isArray(value)) return value.map((each) => withSettings(each, "", depth + 1));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, withSettings(each, name, depth + 1)]);
  const isMap = MAPS.test(key) || depth === 0;
  return { ...Object.fromEntries(entries), ...(isMap ? {} : { server_setting: { level: 1 } }) };
}

export const DESK = (greet = "Ask what the caller wants.") =>
  flow("desk", { prompt: "You sell lamps.", beginMessage: "Hello.", variables: { size: text("Size of the lamp") } })
    .conversation("greet", {
      prompt: greet,
      next: ({ to }) => [to("size", "Caller wants to order"), to("owner", "Caller asks for the owner")],
    })
    .extract("size", { fills: ["size"], next: ({ to, when }) => [to("order", when("size", "==", "big")), to("bye")] })
    .conversation("order", { prompt: "Take the order.", next: ({ to }) => [to("bye", "Order is complete")] })
    .transfer("owner", { to: "+14155550100" })
    .end("bye", { prompt: "Say goodbye." })
    .compile();
