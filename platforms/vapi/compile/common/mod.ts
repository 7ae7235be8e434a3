export { LOSS_CODES, LossList } from "./losses.ts";
export { functionSlug, HINT_KEY, isEmpty, nameMembers, rawOf, toolName, variableSlug } from "./names.ts";
