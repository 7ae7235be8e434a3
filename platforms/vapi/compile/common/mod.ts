export { LOSS_CODES, LossList } from "./losses.ts";
export { functionSlug, HINT_KEY, isEmpty, nameMembers, rawOf, type Tool, toolName, variableSlug } from "./names.ts";
