import { counted } from "../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../api/mod.ts";
import { Facts, NoAgents, Nothing, Wait } from "../parts/mod.ts";
import { changes, linkTo, studio, useLoaded } from "../state/mod.ts";
import { RunTable } from "./run_table.tsx";

const LATEST = "5";

/** The first page: the agents, the newest runs, and what to do next. */
export function HomeScreen({ project }: { readonly project: StudioAnswer<"project"> }) {
  const runs = useLoaded(`runs ${changes.runs.value}`, (signal) => studio.runs({ limit: LATEST }, { signal }));
  const { agents, counts } = project;
  return (
    <article>
      <h2>{project.name}</h2>
      <Facts
        facts={[
          ["agents", agents.length.toLocaleString("en-US")],
          ["runs", counts.runs.toLocaleString("en-US")],
          ["calls", counts.calls.toLocaleString("en-US")],
          ["labels", counts.labels.toLocaleString("en-US")],
          ["results", project.store],
          ["Callweave", project.version],
        ]}
      />
      {agents.length > 0 ? <Agents project={project} /> : <NoAgents />}
      <section>
        <h3>Newest runs</h3>
        <Wait loaded={runs} what="the runs">
          {({ items }) =>
            items.length > 0 ? (
              <>
                <RunTable runs={items} />
                <p class="after">
                  <a href={linkTo(["runs"])}>All runs</a>
                </p>
              </>
            ) : (
              <Nothing title="Nothing has been run yet">
                {project.agents.length > 0 && (
                  <p>
                    A run holds an agent against its scenarios. <a href={linkTo(["runs"], { start: "1" })}>Start one</a>
                    , or type <code>npx callweave run</code> in a terminal. You can also{" "}
                    <a href={linkTo(["talk"])}>talk with the agent</a>.
                  </p>
                )}
                <p>
                  Import real calls with <code>npx callweave calls import</code>.
                </p>
              </Nothing>
            )
          }
        </Wait>
      </section>
    </article>
  );
}

function Agents({ project: { agents } }: { readonly project: StudioAnswer<"project"> }) {
  return (
    <section>
      <h3>Agents</h3>
      <ul class="agent-cards">
        {agents.map(({ id, name, nodes, format, source, problem, runs }) => (
          <li key={id}>
            <h4>
              <a href={linkTo(["agents", id])}>{name}</a>
            </h4>
            <p class="quiet">
              {[counted(nodes, "node"), format === "code" ? "in code" : format, counted(runs, "run")]
                .filter(Boolean)
                .join(", ")}
            </p>
            {source !== null ? <p class="quiet source">{source}</p> : <p class="quiet">Its source is not here.</p>}
            {problem && <p class="bad">{problem.message}</p>}
            <p class="links">
              {source !== null && <a href={linkTo(["talk", id])}>Talk</a>}
              <a href={linkTo(["runs"], { agent: name })}>Runs</a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
