export { serveMcp } from "./server.ts";
export { DEFAULT_LIMITS, type McpSettings } from "./settings.ts";
