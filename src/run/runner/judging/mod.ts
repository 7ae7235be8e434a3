export { checkByCode, checkWithoutJudge } from "./check_call.ts";
export { judgeCall } from "./judge_call.ts";
export { resultErrorWords, ruling } from "./ruling.ts";
export { verdictsOf } from "./verdicts_of.ts";
