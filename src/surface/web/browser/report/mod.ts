/** Parts of the report that other pages are made of, too. */
export { createPicture, overlayOf, type Picture } from "./picture.ts";
export { createTranscript, type LineMark, type SelectableTranscript } from "./transcript.ts";
export { checkSection, scoreSection, toolSection } from "./trial.ts";
export {
  clock,
  counted,
  countOf,
  dateText,
  dollars,
  duration,
  nodeLabel,
  percent,
  SIGNS,
  STATUS_WORDS,
  STATUSES,
  scoreText,
} from "./words.ts";
