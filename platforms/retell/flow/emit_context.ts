import type { Path } from "../../../src/errors.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import type { Losses } from "../shared/mod.ts";
import { ToolRegistry } from "./flow_tools.ts";
import type { EdgeIds } from "./ids.ts";
import { layout } from "./layout.ts";
import type { LossCode } from "./losses.ts";

/** What the parts of one graph share while it is emitted. */
export interface EmitContext {
  /** Whether the graph was not imported from a flow; then what Retell does not have is converted. */
  readonly foreign: boolean;
  readonly losses: Losses<LossCode>;
  readonly tools: ToolRegistry;
  readonly edgeIds: EdgeIds;
  /** Computed at the first call: imported documents have positions. */
  readonly positionOf: ReturnType<typeof layout>;
}

/** The context of a component. Its tools and positions are its own; its losses have the node ids of the whole graph. */
export function partContext(
  { id, part }: { readonly id: string; readonly part: AgentGraph },
  own: JsonObject,
  context: EmitContext,
  imported?: AgentGraph,
): EmitContext {
  const { losses } = context;
  const inWhole = (path: Path) => path.map((key, at) => (path[0] === "nodes" && at === 1 ? `${id}/${key}` : key));
  return {
    ...context,
    losses: { ...losses, add: (code, path, ...words) => losses.add(code, inWhole(path), ...words) },
    tools: new ToolRegistry(part, own, imported),
    positionOf: layout(part),
  };
}
