export type { ArgumentsIn, ArgumentsOut, FromJsonSchema, ToolParameters } from "./parameters.ts";
export { type AnyTool, type Tool, type ToolOptions, tool } from "./tool.ts";
export type { AnyName, ArgsOf, AtLeast, KnownTool, MockAnswer, MockOf, TypedTool } from "./tool_call.ts";
