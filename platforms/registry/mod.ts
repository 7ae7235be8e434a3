export { DEPLOY_FORMATS, type DeployFormat, PULL_PLATFORMS, platformOf, READ_PLATFORMS } from "./abilities.ts";
export { PLATFORMS } from "./all_platforms.ts";
export type { AnyFormatName, CheckFormat, FormatName } from "./formats.ts";
export { checkFormat, emit, type FormatInfo, formatNamed, formats, type Imported, importAgent } from "./registry.ts";
