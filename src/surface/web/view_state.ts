import type { Finding } from "../../document/graph/mod.ts";

/** The data of the page of `callweave view`; it arrives with each event of the server. */
export interface ViewState {
  /** The last picture that could be drawn. */
  readonly picture: ViewPicture | undefined;
  /** The error, if the agent cannot be drawn now. */
  readonly error: string | undefined;
}

/** An agent as it is shown. */
export interface ViewPicture {
  readonly name: string;
  readonly nodes: number;
  readonly svg: string;
  readonly findings: readonly Finding[];
}
