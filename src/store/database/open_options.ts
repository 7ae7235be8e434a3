/** Options of `openStore()` and `openRecordings()`. */
export interface OpenStoreOptions {
  /** For a server that asks for one; also taken from `?authToken=` in the URL. It is never shown or stored. */
  readonly authToken?: string;
  /**
   * The longest that one call of the store may take, in milliseconds. Results and ends of runs are tried for so long
   * before they go to the spool. Default: 30,000.
   */
  readonly storeTimeoutMs?: number;
  /** Time limit of a request that writes to a server, in milliseconds; it is then retried. Default: 10,000. */
  readonly requestTimeoutMs?: number;
  /**
   * The folder of spool files: what the database does not take in time is kept there. `false`: it is not kept. Default:
   * `.callweave/spool`, or a folder of the user's temporary files when that cannot be written; of `:memory:`, none.
   */
  readonly spool?: string | false;
  /** Whether spool files that are for this database are written to it first. Default: true. */
  readonly recover?: boolean;
  /** Ends the wait for the database while it is opened. */
  readonly signal?: AbortSignal;
  /** Whether a database that is not there, or holds nothing of Callweave, is made. Default: true. */
  readonly create?: boolean;
}
