export { compareWords, wordErrorRate } from "./compare_words.ts";
export { lostItems } from "./lost_items.ts";
