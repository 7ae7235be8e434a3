export { literalsIn, type SourceLiteral } from "./literals.ts";
export { rewriteLiteral } from "./rewrite_literal.ts";
export { type TextChange, textChanges, withText } from "./text_changes.ts";
