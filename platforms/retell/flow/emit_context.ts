import type { Path } from "../../../src/base/errors.ts";
import type { JsonObject } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import type { Losses } from "../shared/mod.ts";
import { ToolRegistry } from "./flow_tools.ts";
import type { EdgeIds } from "./ids.ts";
import { layOutNodes } from "./layout.ts";
import type { FlowLossCode } from "./losses.ts";

/** State of emitting one graph. */
export interface FlowContext {
  /** Whether the graph was not imported from a flow, so that unsupported parts are converted. */
  readonly foreign: boolean;
  readonly losses: Losses<FlowLossCode>;
  readonly tools: ToolRegistry;
  readonly edgeIds: EdgeIds;
  /** Computed on the first call, because imported documents already have positions. */
  readonly positionOf: ReturnType<typeof layOutNodes>;
}

/** Returns the context of a component: with its own tools and positions, and losses with the node ids of the graph. */
export function partContext(
  { id, part }: { readonly id: string; readonly part: AgentGraph },
  own: JsonObject,
  context: FlowContext,
  imported?: AgentGraph,
): FlowContext {
  const { losses } = context;
  const inWhole = (path: Path) => path.map((key, at) => (path[0] === "nodes" && at === 1 ? `${id}/${key}` : key));
  return {
    ...context,
    losses: { ...losses, add: (code, path, ...words) => losses.add(code, inWhole(path), ...words) },
    tools: new ToolRegistry(part, own, imported),
    positionOf: layOutNodes(part),
  };
}
