export type { EmitOptions, Emitted, Finding, Format, Loss } from "./platform.ts";
export { emit, type FormatInfo, formatNamed, formats, type Imported, importAgent } from "./registry.ts";
