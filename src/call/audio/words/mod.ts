export { compareWords, lostItems, wordErrorRate } from "./lost_items.ts";
