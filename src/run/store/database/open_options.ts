/** Options of `openStore()` and `openRecordings()`. */
export interface OpenStoreOptions {
  /** Token for a server; `?authToken=` in the URL works too. It is never shown or stored. */
  readonly authToken?: string;
  /**
   * Limit of one call of the store in milliseconds. Results are retried until then, and spooled afterwards. Default:
   * 30,000.
   */
  readonly storeTimeoutMs?: number;
  /** Limit of a request that writes to a server, in milliseconds; it is retried after that. Default: 10,000. */
  readonly requestTimeoutMs?: number;
  /**
   * Folder of spool files, for results that the database does not accept in time; `false` discards them. Default:
   * `.callweave/spool`, or a folder in the temporary directory when that is not writable; none for `:memory:`.
   */
  readonly spool?: string | false;
  /** Whether to write spool files of this database to it first. Default: true. */
  readonly recover?: boolean;
  /** Aborts opening the database. */
  readonly signal?: AbortSignal;
  /** Whether to create a database that does not exist or has no Callweave tables. Default: true. */
  readonly create?: boolean;
}
