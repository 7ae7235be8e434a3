import { useState } from "preact/hooks";
import type { StudioAnswer } from "../../../api/mod.ts";
import { Trouble, Wait } from "../parts/mod.ts";
import { goTo, linkTo, studio, useLoaded } from "../state/mod.ts";

/** Starts a run: an agent, some or all of its scenarios, and how often each is called. */
export function StartForm({ project }: { readonly project: StudioAnswer<"project"> }) {
  const agents = project.agents.filter(({ source, problem }) => source !== null && problem === null);
  const [agent, setAgent] = useState(agents[0]?.id ?? "");
  const [repeats, setRepeats] = useState(1);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const loaded = useLoaded(`start/${agent}`, async (signal) =>
    agent === "" ? undefined : await studio.agent({ agent }, { signal }),
  );
  if (agents.length === 0)
    return <p class="quiet">No agent of this project can be called now: its source is not here, or has an error.</p>;
  const start = async (names: readonly string[]) => {
    setBusy(true);
    setError(undefined);
    const wanted = names.filter((name) => !left.has(name));
    try {
      const { id } = await studio.startRun({
        agent,
        repeats,
        ...(wanted.length < names.length ? { scenarios: wanted } : {}),
      });
      goTo(linkTo(["runs", id]));
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <section class="panel" aria-label="Start a run">
      <div class="filters">
        <label>
          agent
          <select
            value={agent}
            onChange={({ currentTarget }) => {
              setAgent(currentTarget.value);
              setLeft(new Set());
            }}
          >
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          calls per scenario
          <input
            type="number"
            min={1}
            max={1000}
            value={repeats}
            onInput={({ currentTarget }) => setRepeats(Number(currentTarget.value) || 1)}
          />
        </label>
      </div>
      <Wait loaded={loaded} what="its scenarios">
        {(value) => {
          const names = (value?.scenarios ?? []).map(({ name }) => name);
          const count = names.filter((name) => !left.has(name)).length;
          if (names.length === 0)
            return (
              <p>
                It has no scenarios yet. Write one, or let <code>npx callweave generate</code> propose some.
              </p>
            );
          return (
            <>
              <details open={names.length <= 12}>
                <summary>
                  {count} of {names.length} scenarios
                </summary>
                <ul class="choices">
                  {names.map((name) => (
                    <li key={name}>
                      <label>
                        <input
                          type="checkbox"
                          checked={!left.has(name)}
                          onChange={() => {
                            const next = new Set(left);
                            if (!next.delete(name)) next.add(name);
                            setLeft(next);
                          }}
                        />
                        {name}
                      </label>
                    </li>
                  ))}
                </ul>
              </details>
              <p class="after">
                <button type="button" class="main" disabled={isBusy || count === 0} onClick={() => start(names)}>
                  Call {count * repeats} times
                </button>
              </p>
            </>
          );
        }}
      </Wait>
      {error !== undefined && <Trouble error={error} />}
    </section>
  );
}
