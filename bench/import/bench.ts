import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { type Figure, sized } from "../figure.ts";
import { javascript } from "../javascript.ts";
import { type Layout, writeCalls } from "./write_calls.ts";

const MB = 1_000_000;
const [SMALL, LARGE] = [sized(10 * MB, MB / 10), sized(1_000 * MB, MB)];
/** Maximum growth of memory for a file a hundred times as large: garbage that is not collected immediately. */
const MOST_OVER = 2;

interface Imported {
  readonly added: number;
  readonly known: number;
  readonly damaged: number;
  readonly wallMs: number;
  readonly peakKb: number;
}

/** Memory of a process that imports 1 GB of calls, compared with 10 MB: as JSON lines, repeated, and as one list. */
export async function* bench(): AsyncIterable<Figure> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-import-"));
  try {
    const small = await imported(folder, { name: "small", bytes: SMALL, layout: "lines" });
    const large = await imported(folder, { name: "large", bytes: LARGE, layout: "lines" });
    yield* figuresOf("1gb_jsonl", large, small);
    yield {
      name: "import_1gb_jsonl_missing",
      value: large.calls - large.added,
      unit: "calls",
      against: `${large.calls} in the file`,
      bound: 0,
    };
    // the same calls in another form: all of them are duplicates
    const again = await imported(folder, { name: "large", bytes: LARGE, layout: "list" });
    yield* figuresOf("1gb_list_again", again, small);
    yield {
      name: "import_again_added",
      value: again.added + (again.calls - again.known),
      unit: "calls",
      against: `${again.known} known of ${again.calls}`,
      bound: 0,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function* figuresOf(name: string, { wallMs, peakKb, calls }: Imported & Made, small: Imported): Iterable<Figure> {
  const against = `${Math.round(small.peakKb / 1024)} MB for a file of 10 MB`;
  const ratio = Number((peakKb / small.peakKb).toFixed(3));
  yield { name: `import_${name}_peak_over_10mb`, value: ratio, unit: "ratio", against, bound: MOST_OVER };
  yield { name: `import_${name}_peak_mb`, value: Math.round(peakKb / 1024), unit: "MB", against };
  yield { name: `import_${name}_s`, value: Math.round(wallMs / 1000), unit: "s", against: `${calls} calls` };
}

interface Made {
  readonly calls: number;
}

/** Writes a file, imports it in a separate process and deletes it. */
async function imported(
  folder: string,
  { name, bytes, layout }: { readonly name: string; readonly bytes: number; readonly layout: Layout },
): Promise<Imported & Made> {
  const file = join(folder, `${name}.${layout}`);
  const calls = await writeCalls(file, bytes, layout);
  if ((await stat(file)).size < bytes) throw new Error(`${file} is too small`);
  const script = await javascript("bench/import/import_file.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, join(folder, `${name}.db`)]);
  await rm(file);
  const done: Imported = JSON.parse(stdout);
  return { ...done, calls };
}
