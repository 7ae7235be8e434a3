import type { PlatformFacts } from "../facts.ts";
import type { PlatformName } from "../known/mod.ts";
import { PLATFORMS } from "./all_platforms.ts";

/** Formats that can be deployed. The platform is the first word. */
export type DeployFormat = NonNullable<(typeof PLATFORMS)[PlatformName]["deploy"]>["formats"][number];

/** Formats that can be deployed. */
export const DEPLOY_FORMATS: readonly DeployFormat[] = Object.values(PLATFORMS).flatMap(
  ({ deploy }): readonly DeployFormat[] => deploy?.formats ?? [],
);

const ALL: readonly PlatformFacts<PlatformName>[] = Object.values(PLATFORMS);

/** Platforms whose calls can be read. */
export const READ_PLATFORMS: readonly PlatformName[] = ALL.flatMap(({ name, calls }) => (calls ? [name] : []));

/** Platforms whose calls can be pulled. */
export const PULL_PLATFORMS: readonly PlatformName[] = ALL.flatMap(({ name, calls }) =>
  calls && !calls.areFilesOnly ? [name] : [],
);

/** The platform of a format or of a platform's name; `undefined` for other texts. */
export function platformOf(format: string): PlatformFacts | undefined {
  const [name = ""] = format.split("-");
  return Object.values<PlatformFacts>(PLATFORMS).find((facts) => facts.name === name);
}
