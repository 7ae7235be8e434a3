export { LOSS_CODES, LossList } from "./losses.ts";
export { HINT_KEY, isEmpty, nameMembers, quoted, rawOf, slug, toolName, variableSlug } from "./names.ts";
