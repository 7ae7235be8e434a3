import type { StudioAnswer } from "../../../api/mod.ts";

const OUTCOMES = {
  created: "created",
  changed: "written",
  merged: "written, beside edits that were made since",
  unchanged: "had the change already",
} as const;

/** What became of the files of an accepted proposal, in words. */
export function writtenWords(files: StudioAnswer<"acceptProposal">["files"]): string {
  return files.map(({ path, outcome }) => `${path}: ${OUTCOMES[outcome]}`).join(", ");
}

/** A text that is scrolled, also by keyboard. */
export function Patch({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll
    <section class="patch" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
