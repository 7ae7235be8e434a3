import { duration } from "../../../../web/browser/mod.ts";

/** How long a caller waited in one turn, and what the time was made of. */
export interface WaterfallTurn {
  readonly name: string;
  readonly node: string;
  /** `null` if nothing was said. */
  readonly totalMs: number | null;
  readonly parts: readonly { readonly name: string; readonly ms: number }[];
}

/** The waits of a call as bars on one scale, the parts of each in their order. */
export function Waterfall({
  turns,
  onChoose,
}: {
  readonly turns: readonly WaterfallTurn[];
  readonly onChoose?: (index: number) => void;
}) {
  const lengthOf = ({ totalMs, parts }: WaterfallTurn) =>
    Math.max(
      totalMs ?? 0,
      parts.reduce((sum, { ms }) => sum + ms, 0),
    );
  const longest = Math.max(1, ...turns.map(lengthOf));
  const names = [...new Set(turns.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  return (
    <div class="waterfall">
      <ul class="legend">
        {names.map((name, index) => (
          <li key={name}>
            <span class={`swatch part-${index % 6}`} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
      <ol>
        {turns.map((turn, index) => (
          <li key={index}>
            <button type="button" class="link" onClick={() => onChoose?.(index)}>
              {turn.name}
            </button>
            <span class="quiet">{turn.node}</span>
            <span
              class="bars"
              role="img"
              aria-label={turn.parts.map(({ name, ms }) => `${name} ${duration(ms)}`).join(", ") || "no parts measured"}
            >
              {turn.parts.length === 0 && (
                <span class="bar part-0" style={{ width: `${(100 * lengthOf(turn)) / longest}%` }} />
              )}
              {turn.parts.map(({ name, ms }) => (
                <span
                  key={name}
                  class={`bar part-${names.indexOf(name) % 6}`}
                  title={`${name} ${duration(ms)}`}
                  style={{ width: `${(100 * ms) / longest}%` }}
                />
              ))}
            </span>
            <span class="figure">{turn.totalMs === null ? "nothing said" : duration(turn.totalMs)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
