import { useMemo } from "preact/hooks";
import { counted, percent } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../../api/mod.ts";
import {
  Choice,
  Facts,
  GraphPicture,
  hasWords,
  isGraph,
  NoAgents,
  TextFilter,
  Trouble,
  Wait,
} from "../../parts/mod.ts";
import { changes, linkTo, may, route, setSettings, studio, useLoaded } from "../../state/mod.ts";
import { AgentDiff } from "./agent_diff.tsx";
import { changesLayer, LAYERS, layerOf } from "./agent_layers.ts";
import { AgentPolicies, pathOf } from "./agent_policies.tsx";
import { NodePanel } from "./node_panel.tsx";

type Agent = StudioAnswer<"agent">;
type Project = StudioAnswer<"project">;

/** An agent: its picture with layers, and all of a node beside it. */
export function AgentScreen({ id, project }: { readonly id: string; readonly project: Project }) {
  const known = id === "" && project.agents.length === 1 ? project.agents[0]?.id : id;
  if (!known) return <AgentList project={project} />;
  return <OneAgent key={known} id={known} project={project} />;
}

function AgentList({ project: { agents } }: { readonly project: Project }) {
  return (
    <article>
      <h2>Agents</h2>
      {agents.length === 0 && <NoAgents />}
      <ul class="agent-cards">
        {agents.map(({ id, name, nodes, problem }) => (
          <li key={id}>
            <h3>
              <a href={linkTo(["agents", id])}>{name}</a>
            </h3>
            <p class="quiet">{counted(nodes, "node")}</p>
            {problem && <p class="bad">{problem.message}</p>}
          </li>
        ))}
      </ul>
    </article>
  );
}

function OneAgent({ id, project }: { readonly id: string; readonly project: Project }) {
  const version = route.value.query.get("until") || undefined;
  const loaded = useLoaded(`${id} ${version} ${changes.agents.value} ${changes.runs.value}`, (signal) =>
    studio.agent({ agent: id, version }, { signal }),
  );
  return (
    <Wait loaded={loaded} what="the agent">
      {(agent) => <AgentArticle agent={agent} project={project} />}
    </Wait>
  );
}

function AgentArticle({ agent, project }: { readonly agent: Agent; readonly project: Project }) {
  const { query } = route.value;
  const { graph, figures } = agent;
  const layerName = query.get("layer") ?? "";
  const words = query.get("words") ?? "";
  const since = query.get("since") ?? "";
  const until = query.get("until") ?? "";
  const diff = useLoaded(`diff/${agent.id}/${since}/${until} ${agent.fingerprint}`, async (signal) =>
    since === ""
      ? undefined
      : await studio.agentDiff({ agent: agent.id, from: since, ...(until === "" ? {} : { to: until }) }, { signal }),
  );
  const layer = useMemo(
    () => (layerName === "changes" ? diff.value && changesLayer(diff.value.changes) : layerOf(layerName, figures)),
    [layerName, figures, diff.value],
  );
  const found = useMemo(() => {
    if (words === "" || !isGraph(graph)) return undefined;
    return new Set(
      figures.filter(({ id, name }) => graph.nodes[id] && hasWords(graph.nodes[id], name, words)).map(({ id }) => id),
    );
  }, [words, graph, figures]);
  const nodes = useMemo(
    () =>
      figures.map(({ id, name, type }) => ({
        id,
        ...(name === id ? {} : { name }),
        ...(type === null ? {} : { type }),
      })),
    [figures],
  );
  const decisions = useLoaded(`policies/${agent.id} ${agent.fingerprint}`, async (signal) =>
    agent.policies.length === 0 ? [] : (await studio.agentPolicies({ agent: agent.id }, { signal })).items,
  );
  const [policy, step] = [query.get("policy"), query.get("step")];
  const path = useMemo(
    () => pathOf(decisions.value ?? [], query, (node) => figures.findIndex(({ id }) => id === node)),
    [decisions.value, policy, step, figures],
  );
  const chosen = figures.findIndex(({ id }) => id === query.get("node"));
  const node = figures[chosen];
  return (
    <article class="agent">
      {project.agents.length > 1 && (
        <p class="crumbs">
          <a href={linkTo(["agents"])}>Agents</a>
        </p>
      )}
      <div class="title-line">
        <h2>{agent.name}</h2>
        <div class="actions">
          <a class="button" href={linkTo(["runs"], { agent: agent.name })}>
            Runs
          </a>
          {may("editor") && agent.source !== null && (
            <a class="button" href={linkTo(["talk", agent.id])}>
              Talk
            </a>
          )}
          <button type="button" onClick={() => print()}>
            Print
          </button>
        </div>
      </div>
      <AgentFacts agent={agent} />
      {agent.problem && (
        <Trouble
          error={Object.assign(new Error(agent.problem.message), {
            code: agent.problem.code,
            hint: agent.problem.hint,
          })}
        />
      )}
      <div class="picture-tools">
        <TextFilter name="words" label="search" look="search" />
        {found && (
          <span class="quiet" role="status">
            {counted(found.size, "node")}
          </span>
        )}
        <Choice
          label="Layer"
          chosen={layer ? layerName : ""}
          choices={[
            ["", "no layer"],
            ...LAYERS.map(({ name, title }) => [name, title] as const),
            ...(since === "" ? [] : [["changes", "changes"] as const]),
          ]}
          onChoose={(name) => setSettings({ layer: name })}
        />
        {layer && (
          <LayerKey agent={agent} low={layer.scale[0]} high={layer.scale[1]} isEmpty={layer.figures.size === 0} />
        )}
      </div>
      <div class="beside wide-picture">
        <GraphPicture
          svg={agent.picture}
          nodes={nodes}
          current={chosen < 0 ? path.current : chosen}
          taken={path.taken}
          used={path.used}
          layer={layer}
          found={found}
          onSelect={(index) => setSettings({ node: figures[index]?.id })}
        />
        <div class="side">
          {node && isGraph(graph) && graph.nodes[node.id] ? (
            <NodePanel agent={agent} graph={graph} figures={node} />
          ) : (
            <>
              <Findings agent={agent} />
              <NodeList figures={figures} found={found} />
            </>
          )}
          {agent.policies.length > 0 && <AgentPolicies decisions={decisions} />}
          <AgentDiff agent={agent} diff={diff} />
        </div>
      </div>
    </article>
  );
}

function AgentFacts({ agent }: { readonly agent: Agent }) {
  const { coverage, run, isSameVersion, nodes, format, source, scenarios } = agent;
  return (
    <Facts
      facts={[
        ["nodes", String(nodes)],
        ["scenarios", String(scenarios.length)],
        ...(format === null ? [] : [["written in", format] as const]),
        ...(source === null ? [] : [["source", source] as const]),
        ...(coverage === null
          ? []
          : [
              [
                "covered",
                `${coverage.covered} of ${coverage.total} (${percent(coverage.covered / Math.max(1, coverage.total))})`,
              ] as const,
            ]),
        ...(run === null
          ? []
          : [
              [
                "figures of",
                <>
                  <a href={linkTo(["runs", run])}>run {run.slice(0, 8)}</a>
                  {!isSameVersion && <span class="quiet"> of another version</span>}
                </>,
              ] as const,
            ]),
      ]}
    />
  );
}

function LayerKey({
  agent,
  low,
  high,
  isEmpty,
}: {
  readonly agent: Agent;
  readonly low: string;
  readonly high: string;
  readonly isEmpty: boolean;
}) {
  if (agent.run === null || isEmpty) return <span class="quiet">No run has measured that yet.</span>;
  return (
    <span class="layer-key">
      <span class="swatch level-low" aria-hidden="true" /> {low}
      <span class="swatch level-middle" aria-hidden="true" />
      <span class="swatch level-high" aria-hidden="true" /> {high}
    </span>
  );
}

function Findings({ agent: { findings } }: { readonly agent: Agent }) {
  return (
    <section class="panel">
      <h3>{findings.length === 0 ? "No findings" : counted(findings.length, "finding")}</h3>
      <ul class="findings">
        {findings.map((finding, index) => (
          <FindingItem key={index} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function FindingItem({ finding: { code, severity, path, message } }: { readonly finding: Agent["findings"][number] }) {
  const node = path[0] === "nodes" ? path[1] : undefined;
  return (
    <li class={severity}>
      <strong>
        {severity}[{code}]
      </strong>
      <p>{message}</p>
      {node !== undefined && (
        <button type="button" class="link" onClick={() => setSettings({ node })}>
          Show the node
        </button>
      )}
    </li>
  );
}

/** All nodes as a list, for those who do not use the picture. */
function NodeList({
  figures,
  found,
}: {
  readonly figures: Agent["figures"];
  readonly found: ReadonlySet<string> | undefined;
}) {
  const shown = figures.filter(({ id }) => !found || found.has(id));
  return (
    <section class="panel">
      <h3>Nodes</h3>
      <ul class="node-list">
        {shown.map(({ id, name, type, calls, passRate }) => (
          <li key={id}>
            <button type="button" class="link" onClick={() => setSettings({ node: id })}>
              {name}
            </button>
            <span class="quiet">
              {type}
              {calls > 0 && `, ${counted(calls, "call")}`}
              {passRate.rate !== null && `, ${percent(passRate.rate)} passed`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
