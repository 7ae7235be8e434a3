export { LOSS_CODES, LossList } from "./losses.ts";
export { functionSlug, HINT_KEY, isEmpty, memberNames, rawOf, toolName, type VapiTool, variableSlug } from "./names.ts";
