export { analyseSnippetsCommand } from "./analyse.ts";
export { extractSnippetsCommand } from "./extract.ts";
export { inlineSnippetsCommand } from "./inline.ts";
export { listSnippetsCommand } from "./list.ts";
