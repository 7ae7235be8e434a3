/** Settings of Acme, which publishes no types. */
export interface AcmeSettings {
  readonly [key: string]: unknown;
}

/** What flows and nodes can set for Acme. */
export interface AcmeFields {
  readonly flow: AcmeSettings;
  readonly node: AcmeSettings;
  readonly voice: string;
}
