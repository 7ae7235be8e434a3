import { isRecord } from "../../../../../base/values/mod.ts";
import type { StudioChange } from "../../../api/mod.ts";

/** Changes of an agent in words; of texts, the words that were added and removed. */
export function ChangeList({ changes }: { readonly changes: readonly StudioChange[] }) {
  return (
    <ul class="changes">
      {changes.map((change, index) => (
        <li key={index} class={`risk-${change.risk}`}>
          <p>
            <span class="tag">{change.risk} risk</span> {change.message}
          </p>
          <Words change={change} />
        </li>
      ))}
    </ul>
  );
}

function Words({ change: { words, before, after } }: { readonly change: StudioChange }) {
  if (Array.isArray(words))
    return (
      <p class="words">
        {words.filter(isRecord).map(({ change, text }, index) => (
          <WordPart key={index} change={change} text={String(text)} />
        ))}
      </p>
    );
  if (before === undefined && after === undefined) return null;
  return (
    <p class="words">
      {before !== undefined && <del>{textOf(before)}</del>} {after !== undefined && <ins>{textOf(after)}</ins>}
    </p>
  );
}

function WordPart({ change, text }: { readonly change: unknown; readonly text: string }) {
  if (change === "added") return <ins>{text}</ins>;
  if (change === "removed") return <del>{text}</del>;
  return <span>{text}</span>;
}

/** Longest value that is shown, in characters. */
const LONGEST = 600;

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
