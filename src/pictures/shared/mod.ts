export { oneLine, shortened, wrapped } from "./lines.ts";
export { conditionWords, nodeWords, transitionWords } from "./words.ts";
