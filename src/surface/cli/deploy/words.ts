import type { DeployPlan, PlannedResource, ResourceState } from "../../../deploy/mod.ts";

/** The states of a resource in words. */
export const RESOURCE_STATE_WORDS: { readonly [State in ResourceState]: string } = {
  clean: "up to date",
  "local-ahead": "changed in code",
  "remote-ahead": "changed on the platform; apply keeps it",
  "both-changed": "changed in code and on the platform",
  "no-baseline": "differs; this machine does not know which side was changed",
  missing: "was deleted on the platform",
  new: "not on the platform yet",
};

const ACTION_WORDS = { create: "create", update: "update", none: "keep" } as const;

/** The lines of a plan's resources: what happens to each one, and why. */
export function resourceRows(resources: readonly PlannedResource[]): readonly (readonly [string, string, string])[] {
  return resources.map(({ action, address, id, state }) => [
    ACTION_WORDS[action],
    id === undefined ? address : `${address} (${id})`,
    RESOURCE_STATE_WORDS[state],
  ]);
}

/** `help-desk in staging at retell`. */
export function placeWords({ place }: Pick<DeployPlan, "place">): string {
  return `${place.flow} in ${place.environment} at ${place.platform}`;
}

/** The lines of a plan's phone numbers. */
export function numberRows({ numbers }: DeployPlan): readonly (readonly [string, string, string])[] {
  return numbers.map(({ number, action, now }) => {
    const answering = now.map(({ kind, id }) => `${kind} ${id}`).join(", ") || "nobody";
    return action === "none"
      ? ["keep", number, "is answered by this agent"]
      : ["point", number, `to this agent; now answered by ${answering}`];
  });
}

/** The lines of a plan's versions and branches. */
export function releaseLines({ releases }: DeployPlan): readonly string[] {
  return releases.map(({ message }) => message);
}

/** A value of a conflict, on one line. */
export function valueWords(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
