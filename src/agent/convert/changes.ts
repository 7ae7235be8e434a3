import type { Finding, Loss } from "../../../platforms/mod.ts";
import type { Path } from "../../base/errors.ts";
import type { PortedState } from "../check/mod.ts";

/** What callers notice of a change, the heaviest first. */
export const CHANGE_AREAS = [
  "Where calls go",
  "What the agent does",
  "What the agent says and knows",
  "How the agent sounds",
  "Other settings",
] as const;

/** A part of a call in which callers notice a change. */
export type ChangeArea = (typeof CHANGE_AREAS)[number];

/** What is different on the target. */
export interface Change {
  readonly area: ChangeArea;
  readonly state: Exclude<PortedState, "exact">;
  /** That of the loss or the finding. */
  readonly code: string;
  /** Where in the graph. */
  readonly path: Path;
  readonly message: string;
  /** What the target's document has instead. */
  readonly instead?: string;
  readonly hint?: string;
}

const STATES: readonly Change["state"][] = ["refused", "dropped", "emulated"];

/** Losses, and what the platform refuses, in the order in which a person reads them: by area, then by state. */
export function changesOf(losses: readonly Loss[], findings: readonly Finding[]): readonly Change[] {
  const changes = [
    ...losses.map(({ kind, ...loss }): Change => ({ area: areaOf(loss), state: kind, ...loss })),
    ...findings.flatMap((finding): readonly Change[] => {
      const { severity, code, path, message, instead, hint } = finding;
      if (severity !== "error") return [];
      const rest = { ...(instead === undefined ? {} : { instead }), ...(hint === undefined ? {} : { hint }) };
      return [{ area: areaOf(finding), state: "refused", code, path, message, ...rest }];
    }),
  ];
  const rank = ({ area, state }: Change) => CHANGE_AREAS.indexOf(area) * STATES.length + STATES.indexOf(state);
  return changes.sort((left, right) => rank(left) - rank(right));
}

/** Words of codes that say what a change touches when its path does not. */
const BY_CODE: readonly (readonly [RegExp, ChangeArea])[] = [
  [
    /transfer|destination|transition|unreachable|handoff|global|entry|loop|route|logic|equation|condition/,
    "Where calls go",
  ],
  [/tool|webhook|request|function|extract/, "What the agent does"],
  [/voice|language|model|speech|transcri/, "How the agent sounds"],
];

/** Keys of a graph that say what a change touches, the last one of a path first. */
const BY_KEY: { readonly [key: string]: ChangeArea } = {
  transitions: "Where calls go",
  condition: "Where calls go",
  transfer_to: "Where calls go",
  entry_node_id: "Where calls go",
  global_settings: "Where calls go",
  tools: "What the agent does",
  variables_to_extract: "What the agent does",
  state_prompt: "What the agent says and knows",
  static_text: "What the agent says and knows",
  snippets: "What the agent says and knows",
  variables: "What the agent says and knows",
  general_prompt: "What the agent says and knows",
  begin_message: "What the agent says and knows",
  start_speaker: "What the agent says and knows",
  default_dynamic_variables: "What the agent says and knows",
  default_model: "How the agent sounds",
  voice: "How the agent sounds",
  language: "How the agent sounds",
};

function areaOf({ code, path }: Pick<Loss, "code" | "path">): ChangeArea {
  const keys = path.map(String);
  // inside a platform's own settings, a key is the platform's word
  const own = keys.indexOf("metadata");
  if (own < 0) {
    const key = keys.findLast((each) => Object.hasOwn(BY_KEY, each));
    if (key !== undefined && !code.endsWith("-settings")) return BY_KEY[key] ?? "Other settings";
  }
  if (code.endsWith("-settings")) return "Other settings";
  const named = BY_CODE.find(([words]) => words.test(code));
  if (named) return named[1];
  // a node that is not what it was
  return keys[0] === "nodes" && keys.length === 2 ? "Where calls go" : "Other settings";
}
