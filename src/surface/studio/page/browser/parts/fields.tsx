import { useEffect, useState } from "preact/hooks";
import { route, setSettings } from "../state/mod.ts";

/** Time without a key after which what was typed counts. */
const PAUSE_MS = 250;

/** A text in the view's settings, which counts when the reader stops to type. */
export function TextFilter({
  name,
  label,
  suggestions = [],
  look = "text",
}: {
  readonly name: string;
  readonly label: string;
  readonly suggestions?: readonly string[];
  readonly look?: "text" | "search";
}) {
  const now = route.value.query.get(name) ?? "";
  const [text, setText] = useState(now);
  useEffect(() => setText(now), [now]);
  useEffect(() => {
    if (text === now) return;
    const timer = setTimeout(() => setSettings({ [name]: text }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const list = `suggestions-${name}`;
  return (
    <label>
      {label}
      <input
        type={look}
        value={text}
        list={suggestions.length > 0 ? list : undefined}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => key === "Enter" && setSettings({ [name]: text })}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  );
}

/** A row of buttons of which one is pressed. */
export function Choice<Name extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly (readonly [Name, string])[];
  readonly chosen: string;
  readonly onChoose: (name: Name) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and is for forms
    <div class="chips" role="group" aria-label={label}>
      {choices.map(([name, words]) => (
        <button key={name} type="button" class="chip" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {words}
        </button>
      ))}
    </div>
  );
}

/** The agent in the view's settings: one of the project, or another that was chosen. */
export function AgentFilter({ agents }: { readonly agents: readonly { readonly name: string }[] }) {
  const chosen = route.value.query.get("agent") ?? "";
  const names = new Set([...agents.map(({ name }) => name), chosen]);
  names.delete("");
  return (
    <label>
      agent
      <select value={chosen} onChange={({ currentTarget }) => setSettings({ agent: currentTarget.value })}>
        <option value="">all</option>
        {[...names].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
