export { type AffectedScenario, affectedScenarios } from "./affected_scenarios.ts";
export type { GraphChange } from "./change.ts";
export { CHANGE_KINDS, type ChangeKind, type ChangeRisk } from "./change_kinds.ts";
export { otherChanges } from "./changes/mod.ts";
export { diffGraphs } from "./diff_graphs.ts";
export { namedChanges } from "./named_changes.ts";
export { type ChangeMark, type Overlay, overlayChanges } from "./overlay.ts";
export type { TextPart } from "./text_parts.ts";
