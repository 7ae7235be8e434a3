import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted, dateText } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer, StudioTrial } from "../../../../api/mod.ts";
import { Nothing, Trouble, Wait } from "../../parts/mod.ts";
import { linkTo, noteError, studio, useLoaded } from "../../state/mod.ts";
import { ComparedScenario } from "../compare.tsx";
import { ColumnTitles, TwoColumns } from "./two_columns.tsx";

type Prompts = { readonly [node: string]: string };
type Agent = StudioAnswer<"agent">;

/** Pause between two looks at a trial that runs. */
const LOOK_MS = 300;
const MOST_REPEATS = 50;
const FIRST = 3;
const MOST_CALLS = 20;

/** Tries other prompts on failed calls: their callers' words are said to both versions. */
export function TryCalls({ agent, prompts }: { readonly agent: Agent; readonly prompts: Prompts }) {
  const loaded = useLoaded(`failed/${agent.id}`, async (signal) => {
    const { items } = await studio.calls({ status: "fail", limit: 200 }, { signal });
    return items.filter((call) => call.agent === agent.name).slice(0, MOST_CALLS);
  });
  const [chosen, setChosen] = useState<readonly string[]>();
  return (
    <Wait loaded={loaded} what="the failed calls">
      {(calls) => {
        const now = chosen ?? calls.slice(0, FIRST).map(({ id }) => id);
        if (calls.length === 0) return <Nothing title="No call of this agent has failed" />;
        return (
          <Started
            label={`Try on ${counted(now.length, "call")}`}
            isReady={now.length > 0}
            start={() => studio.startTrial({ agent: agent.id, prompts, calls: [...now] })}
          >
            <ul class="choices">
              {calls.map(({ id, scenario, startedAt }) => (
                <li key={id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={now.includes(id)}
                      onChange={({ currentTarget }) =>
                        setChosen(currentTarget.checked ? [...now, id] : now.filter((each) => each !== id))
                      }
                    />
                    {scenario}, {dateText(startedAt)}
                  </label>
                </li>
              ))}
            </ul>
          </Started>
        );
      }}
    </Wait>
  );
}

/** Tries other prompts on a scenario, several times with each version. */
export function TryScenario({ agent, prompts }: { readonly agent: Agent; readonly prompts: Prompts }) {
  const [scenario, setScenario] = useState(agent.scenarios[0]?.name ?? "");
  const [repeats, setRepeats] = useState(8);
  if (agent.scenarios.length === 0) return <Nothing title="The project has no scenario" />;
  return (
    <Started
      label={`Run it ${repeats} times with each`}
      isReady={repeats >= 1 && repeats <= MOST_REPEATS}
      start={() => studio.startTrial({ agent: agent.id, prompts, scenario, repeats })}
    >
      <label>
        scenario to try
        <select value={scenario} onChange={({ currentTarget }) => setScenario(currentTarget.value)}>
          {agent.scenarios.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        calls with each
        <input
          type="number"
          min={1}
          max={MOST_REPEATS}
          value={repeats}
          onInput={({ currentTarget }) => setRepeats(Math.trunc(currentTarget.valueAsNumber) || 0)}
        />
      </label>
    </Started>
  );
}

/** A form that starts a trial, and what the trial found. */
function Started({
  label,
  isReady,
  start,
  children,
}: {
  readonly label: string;
  readonly isReady: boolean;
  readonly start: () => Promise<StudioTrial>;
  readonly children: ComponentChildren;
}) {
  const [trial, setTrial] = useState<StudioTrial>();
  const [error, setError] = useState<unknown>();
  const current = useRef<string>();
  const forget = () => {
    const old = current.current;
    current.current = undefined;
    if (old !== undefined) studio.endTrial({ trial: old }).catch(() => {}); // a restarted server has none
  };
  useEffect(() => forget, []);
  useEffect(() => {
    if (trial?.state !== "running") return;
    const timer = setTimeout(() => {
      studio.trial({ trial: trial.id }).then(
        (next) => next.id === current.current && setTrial(next),
        (problem: unknown) => {
          noteError(problem);
          setTrial(undefined);
          setError(problem);
        },
      );
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [trial]);
  const begin = async () => {
    forget();
    setError(undefined);
    try {
      const begun = await start();
      current.current = begun.id;
      setTrial(begun);
    } catch (problem) {
      noteError(problem);
      setError(problem);
    }
  };
  const isRunning = trial?.state === "running";
  return (
    <>
      {children}
      <p>
        <button type="button" class="main" disabled={!isReady || isRunning} onClick={begin}>
          {label}
        </button>{" "}
        {isRunning && (
          <button
            type="button"
            onClick={() => {
              forget();
              setTrial(undefined);
            }}
          >
            Stop
          </button>
        )}
      </p>
      {isRunning && (
        <p class="progress">
          <progress max={trial.total || 1} value={trial.done} aria-label="Calls that have ended" />
          <span role="status">
            {trial.done} of {counted(trial.total, "call")}
          </span>
        </p>
      )}
      {error !== undefined && <Trouble error={error} />}
      {trial?.error && <Trouble error={Object.assign(new Error(trial.error.message), trial.error)} />}
      {trial?.state === "done" && <Found trial={trial} />}
    </>
  );
}

const VERDICTS = { pass: "✓ passed", fail: "✗ failed", error: "! broke off" } as const;

function Found({ trial: { calls, scenario, offline } }: { readonly trial: StudioTrial }) {
  return (
    <>
      {offline && (
        <p class="notice">The offline model answered: it says little of what a model makes of another wording.</p>
      )}
      {scenario && (
        <ul class="cards compared">
          <ComparedScenario row={scenario} pairs={[]} />
        </ul>
      )}
      <ul class="cards tried">
        {calls.map(({ call, was, original, edited, divergence, ...each }, index) => (
          <li key={index} class={edited.verdict === "pass" ? "pass" : edited.verdict === null ? undefined : "fail"}>
            <h4>
              {each.scenario}
              {call !== null && (
                <>
                  {" "}
                  <a href={linkTo(["calls", call])}>the call</a>
                </>
              )}
            </h4>
            <p>
              {was !== null && <span class="quiet">then {was}, </span>}
              {verdictText(original.verdict)} as it is, <b>{verdictText(edited.verdict)}</b> with your prompt
            </p>
            {edited.failures.map((line, place) => (
              <p key={place} class="quiet">
                with your prompt: {line}
              </p>
            ))}
            {divergence && (
              <p class="reason">
                They diverge first in turn {divergence.turn}: {divergence.reason}
              </p>
            )}
            {call !== null && divergence === null && <p class="quiet">Both take the same way, and end alike.</p>}
            <details>
              <summary>Both calls</summary>
              <ColumnTitles />
              <TwoColumns original={original.transcript} edited={edited.transcript} />
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

function verdictText(verdict: keyof typeof VERDICTS | null): string {
  return verdict === null ? "not judged" : VERDICTS[verdict];
}
