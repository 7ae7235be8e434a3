import { percent } from "../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../api/mod.ts";
import { Choice, Nothing, SaveAs, Wait } from "../parts/mod.ts";
import { linkTo, route, setSettings, studio, useLoaded } from "../state/mod.ts";

type Comparison = StudioAnswer<"compareRuns">;
type Scenario = Comparison["scenarios"][number];
type Pair = Comparison["pairs"][number];

const CHANGES = { better: "▲ better", worse: "▼ worse", none: "no more than noise" } as const;

/** Two runs side by side: what got better or worse, and where calls diverge. */
export function CompareScreen({ run, base }: { readonly run: string; readonly base: string }) {
  const loaded = useLoaded(`${run}/${base}`, (signal) => studio.compareRuns({ run, with: base }, { signal }));
  return (
    <article>
      <p class="crumbs">
        <a href={linkTo(["runs"])}>Runs</a> <a href={linkTo(["runs", run])}>run {run.slice(0, 8)}</a>
      </p>
      <div class="title-line">
        <h2>
          Run {run.slice(0, 8)} compared with {base.slice(0, 8)}
        </h2>
        <div class="actions">
          <SaveAs address={(format) => studio.address("exportComparison", { file: `${run}.${format}`, with: base })} />
        </div>
      </div>
      <Wait loaded={loaded} what="the comparison">
        {(comparison) => <Compared comparison={comparison} />}
      </Wait>
    </article>
  );
}

function Compared({ comparison }: { readonly comparison: Comparison }) {
  const { base, head, summary, scenarios, better, worse, onlyInBase, onlyInHead, pairs } = comparison;
  const shown = route.value.query.get("change") ?? "";
  const rows = scenarios
    .filter(({ change }) => shown === "" || change === shown)
    .toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
  return (
    <>
      <p class="reason">{summary}</p>
      <p class="quiet">
        Before: <a href={linkTo(["runs", base.id])}>run {base.id.slice(0, 8)}</a>. Now:{" "}
        <a href={linkTo(["runs", head.id])}>run {head.id.slice(0, 8)}</a>.
        {!(base.finished && head.finished) && " One of them is not finished."}
      </p>
      <Choice
        label="Filter by change"
        chosen={shown}
        choices={[
          ["", `all ${scenarios.length}`],
          ["worse", `▼ ${worse.length} worse`],
          ["better", `▲ ${better.length} better`],
        ]}
        onChoose={(change) => setSettings({ change })}
      />
      {rows.length === 0 && <Nothing title="No scenario is like that" />}
      <ul class="cards compared">
        {rows.map((row) => (
          <ComparedScenario
            key={row.scenario}
            row={row}
            pairs={pairs.filter(({ scenario }) => scenario === row.scenario)}
          />
        ))}
      </ul>
      <OnlyIn title="Only in the run before" names={onlyInBase} />
      <OnlyIn title="Only in the run now" names={onlyInHead} />
    </>
  );
}

const ORDER = ["worse", "better", "none"];

export function ComparedScenario({ row, pairs }: { readonly row: Scenario; readonly pairs: readonly Pair[] }) {
  const changed = row.criteria.filter(({ change }) => change !== "none");
  return (
    <li class={row.change === "worse" ? "fail" : row.change === "better" ? "pass" : undefined}>
      <h3>
        {row.scenario}{" "}
        <b class={row.change}>{row.base.trials * row.head.trials === 0 ? "not compared" : CHANGES[row.change]}</b>
      </h3>
      <div class="two-rates">
        <Side title="before" side={row.base} />
        <Side title="now" side={row.head} />
      </div>
      <p class="quiet">{row.reason}</p>
      {changed.map(({ criterion, change, reason }) => (
        <p key={criterion} class="quiet">
          {criterion}: <b class={change}>{CHANGES[change]}</b> {reason}
        </p>
      ))}
      {pairs.map((pair) => (
        <Diverged key={`${pair.base} ${pair.head}`} pair={pair} />
      ))}
    </li>
  );
}

function Side({
  title,
  side: { passes, trials, passRate, interval },
}: {
  readonly title: string;
  readonly side: Scenario["base"];
}) {
  const at = (share: number) => `${share * 100}%`;
  return (
    <div>
      <p>
        <span class="label">{title}</span> {trials === 0 ? "no trials" : `${passes} of ${trials}`}
        {interval && (
          <span class="quiet">
            {" "}
            {percent(interval.low).replace(" %", "")} to {percent(interval.high)}
          </span>
        )}
      </p>
      {passRate !== null && interval && (
        <span class="rate" aria-hidden="true">
          <span class="band" style={{ left: at(interval.low), width: at(interval.high - interval.low) }} />
          <span class="point" style={{ left: at(passRate) }} />
        </span>
      )}
    </div>
  );
}

/** A call of each run, side by side from the first message that differs. */
function Diverged({ pair: { base, head, divergence } }: { readonly pair: Pair }) {
  if (!divergence)
    return (
      <p class="quiet">
        <a href={linkTo(["calls", base])}>This call</a> and <a href={linkTo(["calls", head])}>this one</a> are equal.
      </p>
    );
  const side = (title: string, call: string, message: typeof divergence.base) => (
    <div>
      <p>
        <span class="label">{title}</span> <a href={linkTo(["calls", call], { line: divergence.message })}>call</a>
      </p>
      {message ? (
        <blockquote>
          <span class="quiet">
            {WHO[message.role]} at {message.node_id}
          </span>
          {message.content}
        </blockquote>
      ) : (
        <p class="quiet">The call is over.</p>
      )}
    </div>
  );
  return (
    <div class="diverged">
      <p class="quiet">The calls diverge at message {divergence.message + 1}.</p>
      <div class="two">
        {side("before", base, divergence.base)}
        {side("now", head, divergence.head)}
      </div>
    </div>
  );
}

const WHO = { user: "Caller", assistant: "Agent", tool: "Event", system: "System" } as const;

function OnlyIn({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <p>{names.join(", ")}</p>
    </section>
  );
}
