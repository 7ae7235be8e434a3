import type { DeployTarget } from "../../../deploy/mod.ts";

/** The environments of a project. */
export interface Environments {
  readonly names: readonly string[];
  /** Format that is deployed to one; `null` if the configuration does not say. */
  readonly formatOf: (name: string) => string | null;
  /**
   * Where an environment is, with its key.
   *
   * @throws {DeployError} `platform-key` when the key is not set.
   */
  readonly targetOf: (name: string, signal: AbortSignal) => DeployTarget;
}
