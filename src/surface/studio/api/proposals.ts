import * as v from "valibot";
import { Name, Text } from "./parts.ts";
import { Change } from "./project.ts";

/** Most prompts of one change. */
const MOST_PROMPTS = 20;

/** Another prompt of a node. The source has `before` now, or the change is refused: somebody has edited it. */
export const PromptChange = v.object({ node: Name, before: Text, after: Text });

export const NewProposal = v.object({
  /** Id of an agent with a source. */
  agent: Name,
  prompts: v.pipe(v.array(PromptChange), v.minLength(1), v.maxLength(MOST_PROMPTS)),
  /** One line. */
  title: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(120))),
  reason: v.optional(v.pipe(v.string(), v.maxLength(4_000))),
});

export const Proposal = v.object({
  name: v.string(),
  state: v.picklist(["open", "accepted", "rejected"]),
  title: v.string(),
  reason: v.string(),
  madeAt: v.string(),
  /** Paths of the files that it changes, from the project's folder. */
  files: v.array(v.string()),
  /** Unified diff, with three lines around each change. */
  patch: v.string(),
  /** Whether the patch has placeholders for secrets: then it cannot be applied elsewhere. */
  isRedacted: v.boolean(),
});

/** A change of prompts as a change of the source's files. */
export const Proposed = v.object({
  /** `null`: the texts cannot be found in the source exactly; `refused` says why. */
  proposal: v.nullable(Proposal),
  refused: v.nullable(v.object({ code: v.string(), message: v.string(), hint: v.string() })),
  /** The change in words. */
  changes: v.array(Change),
});

/** Open proposals, newest first, also those of coding assistants. */
export const Proposals = v.object({ items: v.array(Proposal) });

/** What became of each file. `merged`: it was edited since, in other lines, and the edits are kept. */
export const Accepted = v.object({
  files: v.array(v.object({ path: v.string(), outcome: v.picklist(["created", "changed", "merged", "unchanged"]) })),
});
