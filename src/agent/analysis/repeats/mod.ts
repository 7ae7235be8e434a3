export { type RepeatedGroup, type RepeatedText, type Repeats, repeatsIn, type SimilarTexts } from "./repeats.ts";
