import type { ComponentChildren } from "preact";
import type { Loaded } from "../state/mod.ts";

/** Shows what is loaded; before, that it is on its way, or the error with its hint. */
export function Wait<Value>({
  loaded,
  what,
  children,
}: {
  readonly loaded: Loaded<Value>;
  /** What is loaded, in words. */
  readonly what: string;
  readonly children: (value: Value) => ComponentChildren;
}) {
  if (loaded.error !== undefined) return <Trouble error={loaded.error} again={loaded.again} />;
  if (loaded.value === undefined)
    return (
      <p class="quiet waiting" role="status">
        Loading {what} …
      </p>
    );
  return <div class={loaded.isLoading ? "stale" : undefined}>{children(loaded.value)}</div>;
}

/** An error of the server or the network: what happened, where, and what helps. */
export function Trouble({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const { message, code, hint } = troubleOf(error);
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      {hint !== undefined && <p>{hint}</p>}
      <p class="quiet">
        {code !== undefined && <code>{code}</code>}{" "}
        {again && (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

/** The message, the code and the hint of an error, where it has them. */
function troubleOf(error: unknown): {
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
} {
  if (!(error instanceof Error)) return { message: String(error) };
  const [code, hint] = ["code", "hint"].map((name): unknown => Reflect.get(error, name));
  return {
    message: error.message,
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof hint === "string" && hint !== "" ? { hint } : {}),
  };
}

/** What a screen says when there is nothing to show, and what to do about it. */
export function Nothing({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="nothing">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** What screens of agents say in a project without one. */
export function NoAgents() {
  return (
    <Nothing title="No agent here yet">
      <p>
        Make one with <code>npx callweave init</code>, or bring one from a platform with{" "}
        <code>npx callweave import</code>. Then start the studio with its file:{" "}
        <code>npx callweave studio flow.ts</code>.
      </p>
    </Nothing>
  );
}

/** Terms with their descriptions, in a row. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
