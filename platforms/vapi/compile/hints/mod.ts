export { memberHint, nodesOfMembers, promptIn } from "./hints.ts";
export { hasGraphHint, readHints } from "./read_hints.ts";
