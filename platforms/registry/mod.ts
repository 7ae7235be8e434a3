export { checkFormat, emit, type FormatInfo, formatNamed, formats, importAgent } from "./agents.ts";
export type { AnyFormatName, CheckFormat, FormatName } from "./formats.ts";
export type { Imported } from "./registry.ts";
