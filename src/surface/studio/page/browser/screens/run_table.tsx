import { dateText, duration, STATUS_WORDS, STATUSES } from "../../../../web/browser/mod.ts";
import type { StudioRunSummary } from "../../../api/mod.ts";
import { RateBar, Sign, type Status } from "../parts/mod.ts";
import { linkTo } from "../state/mod.ts";

/** How a run ended, as one status. */
export function verdictOf({ state, counts }: Pick<StudioRunSummary, "state" | "counts">): Status {
  if (state === "stopped") return counts.fail > 0 ? "fail" : "undecided";
  if (state !== "finished") return "undecided";
  if (counts.fail > 0) return "fail";
  if (counts.error + counts.invalid > 0) return "error";
  if (counts.pass > 0) return "pass";
  return counts.imported > 0 ? "imported" : "undecided";
}

/** `3 failed, 30 passed`. */
export function countWords(counts: StudioRunSummary["counts"]): string {
  const words = STATUSES.filter((status) => counts[status] > 0).map(
    (status) => `${counts[status].toLocaleString("en-US")} ${STATUS_WORDS[status]}`,
  );
  return words.length > 0 ? words.join(", ") : "no calls yet";
}

/** Runs as a table. With `onChoose`, two of them can be chosen to compare. */
export function RunTable({
  runs,
  chosen = [],
  onChoose,
}: {
  readonly runs: readonly StudioRunSummary[];
  readonly chosen?: readonly string[];
  readonly onChoose?: (run: string) => void;
}) {
  return (
    <div class="scroll">
      <table class="runs">
        <thead>
          <tr>
            {onChoose && (
              <td>
                <span class="unseen">Compare</span>
              </td>
            )}
            <th scope="col">run</th>
            <th scope="col">agent</th>
            <th scope="col">calls</th>
            <th scope="col" class="rate-cell">
              pass rate
            </th>
            <th scope="col">version</th>
            <th scope="col">where</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} isChosen={chosen.includes(run.id)} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRow({
  run,
  isChosen,
  onChoose,
}: {
  readonly run: StudioRunSummary;
  readonly isChosen: boolean;
  readonly onChoose: ((run: string) => void) | undefined;
}) {
  const {
    id,
    agent,
    state,
    startedAt,
    finishedAt,
    counts,
    passRate,
    kind,
    branch,
    commit,
    environment,
    connection,
    tags,
    baselines,
  } = run;
  const verdict = verdictOf(run);
  const took = finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
  return (
    <tr class={isChosen ? "chosen" : undefined}>
      {onChoose && (
        <td>
          <input
            type="checkbox"
            checked={isChosen}
            aria-label={`Compare the run of ${dateText(startedAt)}`}
            onChange={() => onChoose(id)}
          />
        </td>
      )}
      <th scope="row">
        <a href={linkTo(["runs", id])} class="trial-link">
          <Sign status={verdict} />
          {dateText(startedAt)}
        </a>
        <span class="said quiet">
          {state === "running"
            ? "running now"
            : state === "unfinished"
              ? "not finished"
              : state === "stopped"
                ? "stopped"
                : took !== undefined && duration(took)}
          {kind === "imported" ? ", imported calls" : kind === "replay" ? ", replay" : ""}
        </span>
      </th>
      <td>{agent}</td>
      <td>{countWords(counts)}</td>
      <td class="rate-cell">
        <RateBar
          passes={passRate.passes}
          judged={passRate.trials}
          rate={passRate.rate}
          low={passRate.low}
          high={passRate.high}
        />
        <span class="said quiet">
          {passRate.trials > 0 ? `${passRate.passes} of ${passRate.trials}` : "not judged"}
        </span>
      </td>
      <td>
        {branch ?? <span class="quiet">no branch</span>}
        {commit !== null && (
          <span class="said quiet">
            <code>{commit.slice(0, 8)}</code>
          </span>
        )}
      </td>
      <td>
        {connection ?? environment ?? "here"}
        {[...baselines.map((name) => `baseline ${name}`), ...tags].map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </td>
    </tr>
  );
}
