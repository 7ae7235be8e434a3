export { CUT_OUT_OPTIONS, type CutOutOptions, cutOut, leavingOf, stubTargets, stubWords } from "./cut_out.ts";
export { nodeLabels, oneLine, shortened, wrapped } from "./lines.ts";
export { conditionWords, nodeWords, transitionWords } from "./words.ts";
