import type { Path } from "../../../base/errors.ts";
import { CHANGE_KINDS, type ChangeKind, type ChangeRisk } from "./change_kinds.ts";
import type { TextPart } from "./text_parts.ts";

/** One difference between two versions of a graph. */
export interface GraphChange {
  readonly kind: ChangeKind;
  readonly risk: ChangeRisk;
  /** Path in the later version; in the earlier one for what was removed. */
  readonly path: Path;
  /** Id of the node that the change belongs to, in the version of `path`. Absent: the change is in the agent's settings. */
  readonly node?: string;
  /** Name of that node in a platform's dashboard, with its id where two have one name. Absent: people know its id. */
  readonly nodeName?: string;
  /** Index of the transition, in the version of `path`. */
  readonly transition?: number;
  /** The earlier value; absent: there was none. */
  readonly before?: unknown;
  /** The later value; absent: there is none. */
  readonly after?: unknown;
  /** One sentence, without keys of the document. */
  readonly message: string;
  /** For texts: the parts that stayed, were added or were removed, in reading order. */
  readonly words?: readonly TextPart[];
  /** Ids, in both versions, of the nodes at which the change affects calls. Empty: none is affected. Absent: every call is. */
  readonly nodes?: readonly string[];
}

/** A change without the fields that follow from its kind. */
export type NewChange = Omit<GraphChange, "risk">;

/** A change with the risk of its kind. */
export function changeOf({ kind, ...rest }: NewChange): GraphChange {
  const { risk } = CHANGE_KINDS[kind];
  return { kind, risk, ...rest, ...(UNNOTICED.has(kind) ? { nodes: [] } : {}) };
}

/** Kinds of changes that affect no call. */
const UNNOTICED: ReadonlySet<ChangeKind> = new Set(["rewritten", "layout-changed", "name-changed"]);
