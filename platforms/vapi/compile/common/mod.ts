export { LOSS_CODES, LossList, UNREAD_CODES } from "./losses.ts";
export { functionSlug, HINT_KEY, isEmpty, nameMembers, rawOf, type Tool, toolName, variableSlug } from "./names.ts";
