import { useState } from "preact/hooks";
import type { StudioAnswer } from "../../../api/mod.ts";
import { AgentFilter, MoreButton, Nothing, TextFilter, useMoreList, Wait } from "../parts/mod.ts";
import { changes, linkTo, may, route, setSettings, studio } from "../state/mod.ts";
import { RunTable } from "./run_table.tsx";
import { StartForm } from "./start_form.tsx";

const KINDS = ["simulated", "imported", "replay"] as const;

/** The list of runs with its filters; two of them can be compared. */
export function RunsScreen({ project }: { readonly project: StudioAnswer<"project"> }) {
  const { query } = route.value;
  const canStart = project.agents.some(({ source }) => source !== null);
  const setting = (name: string) => query.get(name) || undefined;
  const kind = KINDS.find((each) => each === setting("kind"));
  const filter = {
    agent: setting("agent"),
    kind,
    branch: setting("branch"),
    tag: setting("tag"),
    environment: setting("environment"),
    connection: setting("connection"),
  };
  const list = useMoreList(`runs ${JSON.stringify(filter)} ${changes.runs.value}`, (cursor, signal) =>
    studio.runs({ ...filter, cursor }, { signal }),
  );
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choose = (run: string) =>
    setChosen((old) => (old.includes(run) ? old.filter((each) => each !== run) : [...old.slice(-1), run]));
  const isFiltered = Object.values(filter).some(Boolean);
  const isStarting = query.get("start") === "1";
  return (
    <article>
      <div class="title-line">
        <h2>Runs</h2>
        <div class="actions">
          <CompareLink chosen={chosen} order={list.items.map(({ id }) => id)} />
          {may("editor") && canStart && (
            <button
              type="button"
              class="main"
              aria-expanded={isStarting}
              onClick={() => setSettings({ start: isStarting ? undefined : "1" })}
            >
              Start a run
            </button>
          )}
        </div>
      </div>
      {isStarting && may("editor") && canStart && <StartForm project={project} />}
      <search class="filters">
        <AgentFilter agents={project.agents} />
        <label>
          kind
          <select
            value={filter.kind ?? ""}
            onChange={({ currentTarget }) => setSettings({ kind: currentTarget.value })}
          >
            <option value="">all</option>
            {KINDS.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <TextFilter name="branch" label="branch" />
        <TextFilter name="tag" label="tag" />
        <TextFilter name="environment" label="environment" suggestions={project.environments} />
        <TextFilter name="connection" label="connection" />
      </search>
      <Wait loaded={list.loaded} what="the runs">
        {() =>
          list.items.length > 0 ? (
            <>
              <RunTable runs={list.items} chosen={chosen} onChoose={choose} />
              <MoreButton list={list} what="runs" />
            </>
          ) : (
            <Nothing title={isFiltered ? "No run has all of that" : "Nothing has been run yet"}>
              {isFiltered ? (
                <p>
                  <a href={linkTo(["runs"])}>Show all runs</a>
                </p>
              ) : (
                <p>
                  {canStart ? "Start a run here, or type " : "A run holds an agent against its scenarios. Type "}
                  <code>npx callweave run</code> in a terminal.
                </p>
              )}
            </Nothing>
          )
        }
      </Wait>
    </article>
  );
}

/** Compares the newer of two chosen runs with the older one. */
function CompareLink({ chosen, order }: { readonly chosen: readonly string[]; readonly order: readonly string[] }) {
  if (chosen.length === 0) return null;
  const [newer, older] = chosen.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  if (newer === undefined || older === undefined) return <span class="quiet">Choose one more run to compare</span>;
  return (
    <a class="button" href={linkTo(["runs", newer, "compare"], { with: older })}>
      Compare the two
    </a>
  );
}
