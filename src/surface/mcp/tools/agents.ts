import * as v from "valibot";
import { formatNamed } from "../../../../platforms/mod.ts";
import { check } from "../../../agent/check/mod.ts";
import { drawMermaid } from "../../../agent/pictures/mod.ts";
import { GraphError } from "../../../base/errors.ts";
import { isRecord, omit, oneLine, quotedList } from "../../../base/values/mod.ts";
import { type AgentGraph, contentOf, type Finding, fingerprint } from "../../../document/graph/mod.ts";
import { itemsFrom } from "../answer.ts";
import { readCursor } from "../cursor.ts";
import { names, PAGE, type Tool, text, toolOf } from "../tool.ts";
import { agentIds, loadAgent, nameOf, policiesOf, sourceOf } from "./load.ts";

const AGENT = v.optional(text("Id of the agent, of list_agents; needed if the project has several"));

const listAgents = toolOf({
  name: "list_agents",
  title: "List the agents",
  description: "Lists the agents of the project: id, name, number of nodes, findings. Start here.",
  runsIn: "process",
  input: v.strictObject(PAGE),
  run: async (input, context) => {
    const ids = await agentIds(context);
    const start = readCursor("list_agents", input);
    const agents = await Promise.all(
      ids.map(async (id) => {
        const agent = await loadAgent(context, id);
        const { graph, format } = agent;
        const nodes = Object.keys(graph.nodes).length;
        const findings = counted(check(graph, { policies: await policiesOf(agent, context) }));
        return {
          id,
          name: nameOf(graph, id),
          format,
          nodes,
          entry: graph.entry_node_id,
          fingerprint: fingerprint(graph),
          findings,
        };
      }),
    );
    return {
      facts: { source: sourceOf(context) },
      list: { key: "agents", items: itemsFrom(agents, start), limit: input.limit },
    };
  },
});

const readAgent = toolOf({
  name: "read_agent",
  title: "Read an agent",
  description:
    "Reads an agent: its nodes with prompts, transitions, variables and tools (view graph), or its picture as a Mermaid flowchart (view mermaid). The source file is what is changed, see propose_change.",
  runsIn: "process",
  input: v.strictObject({
    agent: AGENT,
    view: v.optional(v.pipe(v.picklist(["graph", "mermaid"]), v.description("Default: graph"))),
    nodes: v.optional(names("View graph: only nodes with these ids")),
    from: v.optional(text("View mermaid: only this node and what it leads to, two transitions far")),
    ...PAGE,
  }),
  run: async (input, context) => {
    const { id, graph, format } = await loadAgent(context, input.agent);
    const version = fingerprint(graph);
    const start = readCursor("read_agent", input, version);
    checkNodes(graph, input.nodes ?? []);
    const head = { agent: id, name: nameOf(graph, id), source: sourceOf(context), format, fingerprint: version };
    const { limit } = input;
    if (input.view === "mermaid") {
      const lines = drawMermaid(graph, input.from === undefined ? {} : { from: input.from }).split("\n");
      return { facts: head, list: { key: "mermaid", items: itemsFrom(lines, start, version), limit } };
    }
    const content = contentOf(graph);
    const { nodes: found, ...rest } = isRecord(content) ? content : {};
    const all = isRecord(found)
      ? Object.entries(found).map(([node, value]) => (isRecord(value) ? { id: node, ...omit(value, ["id"]) } : node))
      : [];
    const wanted = all.filter(
      (node) => input.nodes === undefined || (isRecord(node) && input.nodes.includes(String(node.id))),
    );
    const facts = start === undefined ? { ...head, whole_agent: rest } : head;
    return { facts, list: { key: "nodes", items: itemsFrom(wanted, start, version), limit } };
  },
});

const checkAgent = toolOf({
  name: "check_agent",
  title: "Check an agent",
  description:
    "Finds mistakes in an agent: each finding has a code, a place and a hint; callweave://docs/check explains the codes. With target also what that platform cannot express.",
  runsIn: "process",
  input: v.strictObject({
    agent: AGENT,
    target: v.optional(text("Format of a platform, as callweave formats lists them")),
    ...PAGE,
  }),
  run: async (input, context) => {
    const { target } = input;
    if (target !== undefined) formatNamed(target);
    const agent = await loadAgent(context, input.agent);
    const { id, graph } = agent;
    const version = fingerprint(graph);
    const start = readCursor("check_agent", input, version);
    const policies = await policiesOf(agent, context);
    const findings = [...agent.findings, ...check(graph, { policies, ...(target === undefined ? {} : { target }) })];
    return {
      facts: { agent: id, fingerprint: version, findings_by_severity: counted(findings) },
      list: { key: "findings", items: itemsFrom(findings, start, version), limit: input.limit },
    };
  },
});

/** Tools that read agents. */
export const AGENT_TOOLS: readonly Tool[] = [listAgents, readAgent, checkAgent];

function counted(findings: readonly Finding[]) {
  const count = (severity: Finding["severity"]) => findings.filter((each) => each.severity === severity).length;
  return { error: count("error"), warning: count("warning"), info: count("info") };
}

function checkNodes({ nodes }: AgentGraph, wanted: readonly string[]): void {
  const unknown = wanted.find((id) => !Object.hasOwn(nodes, id));
  if (unknown === undefined) return;
  throw new GraphError(`Cannot read the agent: it has no node "${oneLine(unknown)}"`, {
    code: "unknown-node",
    path: ["nodes"],
    hint: `Name some of its nodes: ${quotedList(Object.keys(nodes), 20)}`,
  });
}
