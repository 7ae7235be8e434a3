export { CUT_OUT_OPTIONS, type CutOutOptions, cutOut, leavingOf, stubTargets, stubWords } from "./cut_out.ts";
export { drawableLine, nodeLabels, shortened, wrappedLines } from "./lines.ts";
export { conditionLabel, nodeWords, transitionLabel } from "./words.ts";
