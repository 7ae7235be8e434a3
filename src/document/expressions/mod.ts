export { bareName } from "./bare_name.ts";
export { clausesText, clauseText } from "./clause_text.ts";
export { clauseWords, equationWords } from "./clause_words.ts";
export { compareDecimals, isDecimal } from "./decimals.ts";
export { equationProblem, rightHint } from "./equation_problem.ts";
export { equationText } from "./equation_text.ts";
export { compareValues, equationHolds, evaluateClauses, evaluateEquation } from "./equations.ts";
export { expandPrompt, expandText, type TemplateValues } from "./expand_prompt.ts";
export { expandedTexts, mapExpandedTexts } from "./expanded_texts.ts";
export {
  isKnownPlaceholder,
  placeholderContents,
  placeholderName,
  placeholdersIn,
  replacePlaceholders,
  rootName,
  writtenPlaceholders,
} from "./placeholders.ts";
export { isPlatformVariable, type PlatformVariable } from "./platform_variables.ts";
export { clauseVariables, type FilledSide, fillRight, rightOf, rightParts } from "./right_side.ts";
export { snippetUses } from "./snippet_uses.ts";
export { replaceSnippets, snippetsIn, tagsIn } from "./snippets.ts";
export { startVariables } from "./start_variables.ts";
export { textOf } from "./text_of.ts";
export { isUnread, UNREAD_CODES, type UnreadCode, type UnreadPart, unreadParts } from "./unread_parts.ts";
