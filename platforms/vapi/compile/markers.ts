import type { VariableTable } from "./variable_table.ts";

/** The emitter's own variables in the bag of a call, each made when it is first asked for. */
export class Markers {
  readonly #variables: VariableTable;
  readonly #names = new Map<string, string>();

  constructor(variables: VariableTable) {
    this.#variables = variables;
  }

  /** Set to `true` once the extract node's tool has run. */
  extracted(id: string): string {
    return this.#name(`extract ${id}`, `did_${id}`);
  }

  /** Set to `succeeded` or `failed` once the tool was tried. */
  answered(tool: string): string {
    return this.#name(`tool ${tool}`, `did_${tool}`);
  }

  /** Set to the name of the member that the caller came to the global node from. */
  origin(id: string): string {
    return this.#name(`global ${id}`, `from_${id}`);
  }

  /** Whether anything reads what {@link answered} sets. */
  isAnswerRead(tool: string): boolean {
    return this.#names.has(`tool ${tool}`);
  }

  #name(key: string, wanted: string): string {
    const name = this.#names.get(key) ?? this.#variables.fresh(wanted);
    this.#names.set(key, name);
    return name;
  }
}
