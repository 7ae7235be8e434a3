export { LOSS_CODES, LossList } from "./losses.ts";
export { clip, HINT_KEY, NamePool, nameMembers, nodeOf, quoted, slug, variableSlug } from "./names.ts";
export { rawOf } from "./raw.ts";
