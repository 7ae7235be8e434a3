export type { ReplayOptions } from "./options.ts";
export { replay } from "./replay.ts";
