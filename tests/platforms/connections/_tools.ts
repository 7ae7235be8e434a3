import type { ToolMock } from "../../../src/document/scenario/mod.ts";

/** What the real tools of the help desk do, for servers that take no mocks. */
export const DESK_TOOLS: readonly ToolMock[] = [
  {
    tool_name: "look_up_order",
    input_match_rule: { type: "partial_match", args: { order_number: "A-1042" } },
    output: JSON.stringify({ status: "shipped", arrives: "Friday" }),
    result: true,
  },
  { tool_name: "look_up_order", input_match_rule: { type: "any" }, output: "no such order", result: false },
];
