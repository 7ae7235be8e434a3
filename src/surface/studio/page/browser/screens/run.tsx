import { useState } from "preact/hooks";
import { counted, countOf, dateText, duration, percent, STATUS_WORDS, STATUSES } from "../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../api/mod.ts";
import { Badge, Facts, SaveAs, Sign, TextFilter, Trouble, Wait } from "../parts/mod.ts";
import { changes, linkTo, may, route, setSettings, studio, useLoaded } from "../state/mod.ts";
import { RunGrid } from "./run_grid.tsx";
import { verdictOf } from "./run_table.tsx";

/** A run as a grid of scenarios and trials. */
export function RunScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(`${id} ${changes.runs.value}`, (signal) => studio.run({ run: id }, { signal }));
  return (
    <Wait loaded={loaded} what="the run">
      {(run) => <RunArticle run={run} again={loaded.again} />}
    </Wait>
  );
}

function RunArticle({ run, again }: { readonly run: StudioAnswer<"run">; readonly again: () => void }) {
  const { query } = route.value;
  const status = query.get("status") ?? "";
  const words = (query.get("words") ?? "").toLowerCase();
  const present = STATUSES.filter((each) => run.counts[each] > 0);
  const shown = run.scenarios
    .filter(({ scenario }) => scenario.toLowerCase().includes(words))
    .filter(({ counts }) => status === "" || STATUSES.some((each) => each === status && counts[each] > 0));
  return (
    <article>
      <p class="crumbs">
        <a href={linkTo(["runs"])}>Runs</a>
      </p>
      <div class="title-line">
        <h2>
          {run.agent}, {dateText(run.startedAt)} <Badge status={verdictOf(run)} {...stateWords(run)} />
        </h2>
        <div class="actions">
          <RunActions run={run} again={again} />
        </div>
      </div>
      <RunFacts run={run} />
      {run.state === "running" && <Progress run={run} />}
      <search class="filters">
        <TextFilter name="words" label="scenario" look="search" />
        {present.length > 1 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and is for forms
          <div class="chips" role="group" aria-label="Filter by status">
            {present.map((each) => (
              <button
                key={each}
                type="button"
                class={`chip ${each}`}
                aria-pressed={status === each}
                onClick={() => setSettings({ status: status === each ? undefined : each })}
              >
                <Sign status={each} />
                {countOf(each, run.counts[each])}
              </button>
            ))}
          </div>
        )}
        <p class="quiet" role="status">
          {shown.length === run.scenarios.length
            ? counted(run.scenarios.length, "scenario")
            : `${shown.length} of ${counted(run.scenarios.length, "scenario")}`}
        </p>
      </search>
      <RunGrid run={run} scenarios={shown} status={status} />
      <Criteria run={run} />
    </article>
  );
}

function stateWords(run: StudioAnswer<"run">): { readonly words?: string } {
  const { state, counts, kind } = run;
  if (state === "running") return { words: "running" };
  if (state === "stopped") return { words: "stopped" };
  if (state === "unfinished") return { words: "not finished" };
  return kind === "imported" && counts.pass + counts.fail === 0 ? { words: STATUS_WORDS.imported } : {};
}

function RunFacts({ run }: { readonly run: StudioAnswer<"run"> }) {
  const { passRate, startedAt, finishedAt, models, branch, commit, environment, connection, tags, baselines } = run;
  const names = [...new Set([models.agent, models.caller, models.judge])];
  return (
    <Facts
      facts={[
        [
          "pass rate",
          passRate.rate === null ? "none" : `${percent(passRate.rate)} (${passRate.passes} of ${passRate.trials})`,
        ],
        ...(passRate.low === null || passRate.high === null
          ? []
          : [["95 % interval", `${percent(passRate.low).replace(" %", "")} to ${percent(passRate.high)}`] as const]),
        ...(finishedAt === null ? [] : [["took", duration(Date.parse(finishedAt) - Date.parse(startedAt))] as const]),
        names.length === 1
          ? ["models", names[0]]
          : ["models", `agent ${models.agent}, caller ${models.caller}, judge ${models.judge}`],
        ...(branch === null && commit === null
          ? []
          : [["version", [branch, commit?.slice(0, 8)].filter(Boolean).join(" ")] as const]),
        ...(environment === null ? [] : [["environment", environment] as const]),
        ...(connection === null ? [] : [["agent called", connection] as const]),
        ...(tags.length === 0 ? [] : [["tags", tags.join(", ")] as const]),
        ...(baselines.length === 0 ? [] : [["baseline", baselines.join(", ")] as const]),
        ["run", <code key="id">{run.id.slice(0, 8)}</code>],
      ]}
    />
  );
}

function RunActions({ run, again }: { readonly run: StudioAnswer<"run">; readonly again: () => void }) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const act = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await action();
      again();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return (
    <>
      {may("editor") && run.state === "running" && (
        <button type="button" disabled={isBusy} onClick={() => act(() => studio.stopRun({ run: run.id }))}>
          Stop
        </button>
      )}
      {may("editor") && run.kind === "simulated" && (run.state === "unfinished" || run.state === "stopped") && (
        <button type="button" disabled={isBusy} onClick={() => act(() => studio.resumeRun({ run: run.id }))}>
          Resume
        </button>
      )}
      <button type="button" onClick={() => print()}>
        Print
      </button>
      <SaveAs address={(format) => studio.address("exportRun", { file: `${run.id}.${format}` })} />
      {error !== undefined && <Trouble error={error} />}
    </>
  );
}

function Progress({ run }: { readonly run: StudioAnswer<"run"> }) {
  const planned = run.scenarios.reduce((sum, { planned }) => sum + planned, 0);
  const done = Object.values(run.counts).reduce((sum, count) => sum + count, 0);
  return (
    <p class="progress">
      <progress max={planned || 1} value={done} aria-label="Calls that have ended" />
      <span role="status">
        {done} of {counted(planned, "call")}
      </span>
    </p>
  );
}

/** What the judge found, by criterion; criteria that always passed are not listed. */
function Criteria({ run: { criteria } }: { readonly run: StudioAnswer<"run"> }) {
  const failed = criteria.filter(({ passRate }) => passRate.rate !== null && passRate.rate < 1);
  if (failed.length === 0) return null;
  return (
    <section>
      <h3>Criteria that failed</h3>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">criterion</th>
              <th scope="col">scenario</th>
              <th scope="col">passed</th>
              <th scope="col">mean score</th>
            </tr>
          </thead>
          <tbody>
            {failed.map(({ scenario, criterion, passRate, meanScore }) => (
              <tr key={`${scenario}\n${criterion}`}>
                <th scope="row">{criterion}</th>
                <td>{scenario}</td>
                <td>
                  {passRate.passes} of {passRate.trials}
                </td>
                <td>{meanScore === null ? "" : meanScore.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
