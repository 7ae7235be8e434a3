import { useEffect, useState } from "preact/hooks";
import { nodeLabel } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../../api/mod.ts";
import { type CallFacts, variablesAt } from "../../parts/mod.ts";

const STEP_MS = 900;

/** Steps through a call line by line, or plays it. */
export function CallSteps({
  count,
  line,
  onLine,
}: {
  readonly count: number;
  readonly line: number;
  readonly onLine: (line: number) => void;
}) {
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    if (line >= count - 1) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => onLine(line + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, line]);
  if (count === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and is for forms
    <div class="steps-buttons" role="group" aria-label="Steps of the call">
      <button type="button" disabled={line <= 0} onClick={() => onLine(line - 1)} aria-label="Step back">
        ←
      </button>
      <button
        type="button"
        aria-pressed={isPlaying}
        onClick={() => {
          if (!isPlaying && line >= count - 1) onLine(0);
          setPlaying(!isPlaying);
        }}
      >
        {isPlaying ? "Pause" : "Play"}
      </button>
      <button type="button" disabled={line >= count - 1} onClick={() => onLine(line + 1)} aria-label="Step on">
        →
      </button>
      <span class="quiet" role="status">
        {line < 0 ? `${count} steps` : `${line + 1} of ${count}`}
      </span>
    </div>
  );
}

/** What holds at a step of a call: why a transition was taken, and the variables. Without a step, the end of the call. */
export function StepPanel({
  call,
  facts,
  line,
}: {
  readonly call: StudioAnswer<"call">;
  readonly facts: CallFacts;
  readonly line: number;
}) {
  const at = line < 0 ? facts.lines.length - 1 : line;
  const current = facts.lines[at];
  const move = call.moves.find(({ message }) => message === line);
  const name = (id: string) => call.nodes.find((node) => node.id === id)?.name ?? id;
  const values = variablesAt(call, at);
  return (
    <section class="panel">
      <h3>
        {line < 0 ? "At the end" : `At step ${line + 1}${current ? `, ${nodeLabel(facts.nodes[current.node])}` : ""}`}
      </h3>
      {move && (
        <div class="why">
          <p>
            From <b>{name(move.from)}</b> to <b>{name(move.to)}</b> {move.because}
          </p>
          {move.reasoning !== null && <p class="quiet">{move.reasoning}</p>}
        </div>
      )}
      {values.length === 0 ? (
        <p class="quiet">No variable has a value.</p>
      ) : (
        <dl class="variables">
          {values.map(({ name: variable, value, isNew }) => (
            <div key={variable} class={isNew ? "new" : undefined}>
              <dt>{variable}</dt>
              <dd>
                {typeof value === "string" ? value : JSON.stringify(value)}
                {isNew && <span class="quiet"> new</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
