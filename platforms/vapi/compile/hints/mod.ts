export { readShape } from "./extras_hint.ts";
export { isHeldSetting, memberHint, nodesOfMembers, promptIn } from "./hints.ts";
export { toolOfHint } from "./tool_hint.ts";
