import { checkFormat, type FormatName, formats, type Loss } from "../platforms/mod.ts";
import { type Path, PlatformError } from "../src/base/errors.ts";
import { CONSTRUCTS, type ConstructCase } from "../tests/platforms/constructs.ts";

/** Formats that every graph can be emitted to: Vapi's workflows are written only where one was read. */
export const HELD_BY: readonly FormatName[] = formats()
  .filter(({ name, emits }) => emits && name !== "vapi-workflow" && name !== "graph")
  .map(({ name }) => name);

/** How a format holds a construct. */
export interface Held {
  readonly state: "exact" | "emulated" | "dropped" | "refused";
  /** Codes of the losses, or of what refuses it. */
  readonly codes: readonly string[];
}

/** How a format holds a construct, by what `emit()` says of a graph that has it. */
export function heldBy({ graph, at }: ConstructCase, format: FormatName): Held {
  try {
    const { losses, findings } = checkFormat(format, graph(format));
    const errors = findings.filter(({ severity }) => severity === "error").map(({ code }) => code);
    if (errors.length > 0) return { state: "refused", codes: unique(errors) };
    const own = losses.filter(({ path }) => at.some((each) => concerns(path, each)));
    const ofKind = (kind: Loss["kind"]) => unique(own.filter((loss) => loss.kind === kind).map(({ code }) => code));
    const [dropped, emulated] = [ofKind("dropped"), ofKind("emulated")];
    if (dropped.length > 0) return { state: "dropped", codes: dropped };
    return emulated.length > 0 ? { state: "emulated", codes: emulated } : { state: "exact", codes: [] };
  } catch (error) {
    if (error instanceof PlatformError) return { state: "refused", codes: [error.code] };
    throw error;
  }
}

/** Whether a loss is of a part of a graph: at it, around it or inside of it. */
export function concerns(loss: Path, part: Path): boolean {
  const begins = (long: Path, short: Path) => short.every((key, index) => String(long[index]) === String(key));
  return begins(loss, part) || begins(part, loss);
}

const unique = (codes: readonly string[]) => [...new Set(codes)].sort();

/** The rows of the table of constructs, its head first. */
export function constructRows(): readonly (readonly string[])[] {
  const head = ["", ...HELD_BY.map((name) => `\`${name}\``)];
  const rows = CONSTRUCTS.map((each) => [each.title, ...HELD_BY.map((name) => cellOf(heldBy(each, name)))]);
  return [head, ...rows];
}

function cellOf({ state, codes }: Held): string {
  return codes.length === 0 ? state : `${state}: ${codes.map((code) => `\`${code}\``).join(", ")}`;
}
