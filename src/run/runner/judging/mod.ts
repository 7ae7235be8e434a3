export { checkByCode, checkCall } from "./check_call.ts";
export { judgeCall } from "./judge_call.ts";
export { ruling, wordsOf } from "./ruling.ts";
export { verdictsOf } from "./verdicts_of.ts";
