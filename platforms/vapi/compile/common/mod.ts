export { HINT_KEY, URL_VARIABLE } from "./keys.ts";
export { LOSS_CODES, type LossCode, LossList } from "./losses.ts";
export { clip, NamePool, nameMembers, nodeOf, slug, variableSlug } from "./names.ts";
