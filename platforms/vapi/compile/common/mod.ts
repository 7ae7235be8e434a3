export { LOSS_CODES, LossList } from "./losses.ts";
export {
  clip,
  HINT_KEY,
  isEmpty,
  NamePool,
  nameMembers,
  quoted,
  rawOf,
  slug,
  toolName,
  variableSlug,
} from "./names.ts";
