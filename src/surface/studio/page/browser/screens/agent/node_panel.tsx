import type { AgentGraph } from "../../../../../../document/graph/mod.ts";
import { duration } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer, StudioNodeFigures } from "../../../../api/mod.ts";
import { Facts, RateBar, waysOf, waysTo } from "../../parts/mod.ts";
import { linkTo, setSettings } from "../../state/mod.ts";

/** A node: its prompt, ways, tools and variables, its findings, and what calls showed of it. */
export function NodePanel({
  agent,
  graph,
  figures,
}: {
  readonly agent: StudioAnswer<"agent">;
  readonly graph: AgentGraph;
  readonly figures: StudioNodeFigures;
}) {
  const node = graph.nodes[figures.id];
  if (!node) return null;
  const nameOf = (id: string) => agent.figures.find((each) => each.id === id)?.name ?? id;
  const findings = agent.findings.filter(({ path }) => path.includes(figures.id));
  const from = waysTo(graph, figures.id);
  const { passRate, latency, calls } = figures;
  return (
    <section class="panel node-panel" aria-label={`Node ${figures.name}`}>
      <div class="section-line">
        <h3>{figures.name}</h3>
        <button type="button" onClick={() => setSettings({ node: undefined })}>
          Close
        </button>
      </div>
      <p class="quiet">
        {[
          figures.type,
          graph.entry_node_id === figures.id && "where calls begin",
          node.global_node_setting && "can be entered from everywhere",
          figures.name !== figures.id && figures.id,
        ]
          .filter(Boolean)
          .join(", ")}
      </p>
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map(({ code, severity, message }, index) => (
            <li key={index} class={severity}>
              <strong>
                {severity}[{code}]
              </strong>
              <p>{message}</p>
            </li>
          ))}
        </ul>
      )}
      {calls > 0 && (
        <>
          <Facts
            facts={[
              ["calls", calls.toLocaleString("en-US")],
              ["passed", passRate.trials === 0 ? "not judged" : `${passRate.passes} of ${passRate.trials}`],
              ...(latency === null
                ? []
                : [
                    ["callers waited", `${duration(latency.median)}, 95 % less than ${duration(latency.p95)}`] as const,
                  ]),
            ]}
          />
          {passRate.trials > 0 && (
            <RateBar
              passes={passRate.passes}
              judged={passRate.trials}
              rate={passRate.rate}
              low={passRate.low}
              high={passRate.high}
            />
          )}
        </>
      )}
      {node.global_node_setting && (
        <>
          <h4>Entered when</h4>
          <p>{node.global_node_setting.condition}</p>
        </>
      )}
      <h4>{node.instruction_type === "static_text" ? "Says" : "Prompt"}</h4>
      {node.state_prompt.trim() === "" ? (
        <p class="quiet">It says nothing.</p>
      ) : (
        <pre class="prompt">{node.state_prompt}</pre>
      )}
      <h4>Then</h4>
      <ul class="ways">
        {waysOf(node).map(({ to, words }, index) => (
          <li key={index}>
            <span>{words}</span>
            {to === undefined ? (
              <span class="quiet">back to where the caller was</span>
            ) : (
              <button type="button" class="link" onClick={() => setSettings({ node: to })}>
                → {nameOf(to)}
              </button>
            )}
          </li>
        ))}
        {waysOf(node).length === 0 && (
          <li class="quiet">
            {node.node_type === "transfer"
              ? `The call is transferred${node.transfer_to ? ` to ${node.transfer_to}` : ""}.`
              : "No way leads on from here."}
          </li>
        )}
      </ul>
      {node.variables_to_extract.length > 0 && (
        <>
          <h4>Variables that it fills</h4>
          <dl class="variables">
            {node.variables_to_extract.map(({ name, description, type, choices }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {description} <span class="quiet">{choices?.length ? choices.join(", ") : type}</span>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {node.tools.length > 0 && (
        <>
          <h4>Tools</h4>
          <dl class="variables">
            {node.tools.map(({ name, description }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{description}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {from.length > 0 && (
        <>
          <h4>Comes from</h4>
          <p class="links">
            {from.map((id) => (
              <button key={id} type="button" class="link" onClick={() => setSettings({ node: id })}>
                {nameOf(id)}
              </button>
            ))}
          </p>
        </>
      )}
      <p class="links">
        <a href={linkTo(["talk", agent.id], { node: figures.id })}>Talk from here</a>
      </p>
    </section>
  );
}
