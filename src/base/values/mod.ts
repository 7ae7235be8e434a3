export { formatDollars, formatSeconds, plural } from "./amounts.ts";
export { hasLuhnDigit, ibanRest, luhnDigit } from "./check_digits.ts";
export { clip, shorten } from "./clip.ts";
export { type Clock, SYSTEM_CLOCK } from "./clock.ts";
export { isTooDeep, MAX_DEPTH } from "./depth.ts";
export { dropPromise } from "./drop_promise.ts";
export { freeName, Names } from "./free_name.ts";
export { groupBy } from "./group_by.ts";
export {
  canonicalJson,
  defined,
  dropAt,
  editDocument,
  editJson,
  getAt,
  isListOf,
  isRecord,
  isRecords,
  isTextMap,
  isTexts,
  type JsonObject,
  jsonOrText,
  jsonText,
  matchItems,
  mergeJson,
  omit,
  own,
  parsedJson,
  pick,
  recordAt,
  records,
  recordsAt,
  replaceAt,
  sameJson,
  setAt,
  sortedEntries,
  valueOfKey,
} from "./json/mod.ts";
export { escapeContent, escapeMarkup, xmlCharacters } from "./markup.ts";
export { nearLanguage } from "./near_language.ts";
export { didYouMean, isTypoOf, nearestKey, nearestName } from "./nearest.ts";
export { madeOnce, madeOnceFor } from "./once.ts";
export {
  COMPILE_FIRST,
  checkOptions,
  groupOf,
  isFlow,
  OPTION,
  type OptionRule,
  type OptionRules,
  oneOf,
  optionIssues,
  recordOf,
  rule,
  shown,
} from "./options.ts";
export { quotedList } from "./quoted_list.ts";
export { repeated } from "./repeated.ts";
export { type Backoff, backoffMs, type Retries, retryAfterMs, withRetries } from "./retries.ts";
export { withoutCommands, withoutCommandsIn } from "./runner_commands.ts";
export { slug } from "./slug.ts";
export { DIGIT_WORDS, joinSpokenDigits } from "./spoken_digits.ts";
export { cut, oneLine, PLAIN, pad, paint, type Style, styleFor, terminalWidth, wrap } from "./text_style.ts";
export { errorCode, formatError, formatStack, readableError, thrownWords, wordsWithHint } from "./thrown.ts";
export { eitherSignal, startRequestLimit, startTimeLimit, type TimeLimit, untilAborted } from "./time_limit.ts";
export type { FlowTypeError, Listed } from "./type_error.ts";
