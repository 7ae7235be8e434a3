import type { StudioChat } from "../../../../api/mod.ts";
import { twoTurns } from "../../parts/mod.ts";

type Messages = StudioChat["transcript"];

const WORDS = { node: "another node", tool: "another tool call", variable: "another value" } as const;

/** Two calls on the same words side by side; turns with another node, tool call or value are marked. */
export function TwoColumns({ original, edited }: { readonly original: Messages; readonly edited: Messages }) {
  return (
    <ol class="two-turns">
      {twoTurns(original, edited).map(({ said, differs, ...sides }, index) => (
        <li key={index} class={differs.length > 0 ? "differs" : undefined}>
          {said !== "" && (
            <p class="caller">
              <span class="who">Caller</span> {said}
            </p>
          )}
          {differs.length > 0 && <p class="mark">≠ {differs.map((kind) => WORDS[kind]).join(", ")}</p>}
          <div class="two">
            {(["original", "edited"] as const).map((side) => (
              <div key={side}>
                {sides[side].map(({ kind, text }, place) => (
                  <p key={place} class={kind === "agent" ? "agent" : "quiet"}>
                    {kind === "agent" && <span class="who">Agent</span>} {text}
                  </p>
                ))}
                {sides[side].length === 0 && <p class="quiet">Nothing.</p>}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The titles of the columns. */
export function ColumnTitles() {
  return (
    <div class="two column-titles">
      <h4>as it is</h4>
      <h4>with your prompt</h4>
    </div>
  );
}
