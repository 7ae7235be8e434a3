export { checkFormat, emit, type FormatInfo, formatNamed, formats, type Imported, importAgent } from "./agents.ts";
export type { AnyFormatName, CheckFormat, FormatName, Listed } from "./formats.ts";
