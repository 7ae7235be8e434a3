/**
 * What moved a call to another node, as a `transition` message records it: a transition of the node that was left, by
 * its index; the entry condition of a global node; or a go-back condition, by its index.
 */
export type RecordedMove = { readonly transition: number } | { readonly global: true } | { readonly go_back: number };

/**
 * An equation condition that was evaluated: its transition or go-back condition, by its index, and which of its clauses
 * were true. Clauses after the one that decided the condition were not evaluated and are missing.
 */
export type EvaluatedEquation = { readonly clauses: readonly boolean[] } & (
  | { readonly transition: number }
  | { readonly go_back: number }
);
