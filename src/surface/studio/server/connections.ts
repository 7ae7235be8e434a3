import type { ConnectedBeginning } from "./chats/mod.ts";

/** Deployed agents that a project names: those of its environments, and those that the server was started with. */
export interface Connections {
  readonly names: readonly string[];
  /**
   * Connects to one, with the variables and mocks of a scenario; `undefined` for a name that is not in `names`.
   *
   * @throws {CallweaveError} When it cannot be connected to or looked up.
   */
  readonly connect: (
    beginning: {
      readonly name: string;
      readonly scenario: string | undefined;
      readonly variables: { readonly [name: string]: string };
    },
    signal: AbortSignal,
  ) => Promise<ConnectedBeginning | undefined>;
}
