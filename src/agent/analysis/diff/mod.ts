export { type AffectedScenario, affectedScenarios, namedChanges } from "./affected_scenarios.ts";
export { CHANGE_KINDS, type ChangeKind, type ChangeRisk, type GraphChange, type TextPart } from "./change_kinds.ts";
export { otherChanges } from "./changes/mod.ts";
export { diffGraphs } from "./diff_graphs.ts";
export { type ChangeMark, type Overlay, overlayChanges } from "./overlay.ts";
