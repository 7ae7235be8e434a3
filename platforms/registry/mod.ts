export { checkFormat, emit, type FormatInfo, formatNamed, formats, type Imported, importAgent } from "./registry.ts";
