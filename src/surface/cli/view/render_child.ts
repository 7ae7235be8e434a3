/** The process that `render()` starts: it loads one agent, sends its picture, and waits to be stopped. */
import process from "node:process";
import { check } from "../../../agent/check/mod.ts";
import { drawAddressed } from "../../../agent/draw/mod.ts";
import { formatError } from "../../../base/values/mod.ts";
import { endWithParent, loadSource } from "../../project/mod.ts";
import type { Rendered, ViewedSource } from "./view.ts";

const watched = endWithParent();
process.on("message", async (source: ViewedSource) => {
  await watched;
  process.send?.(await render(source));
});

async function render({ path, exportName, format }: ViewedSource): Promise<Rendered> {
  try {
    const terminal = { env: process.env, input: async () => "" };
    const { graph, name } = await loadSource(path, terminal, { exportName, format });
    return {
      picture: { name, nodes: Object.keys(graph.nodes).length, svg: drawAddressed(graph), findings: check(graph) },
    };
  } catch (error) {
    return { error: formatError(error).trim() };
  }
}
