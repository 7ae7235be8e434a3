export { LOSS_CODES, LossList } from "./losses.ts";
export { clip, HINT_KEY, NamePool, nameMembers, nodeOf, quoted, rawOf, slug, variableSlug } from "./names.ts";
