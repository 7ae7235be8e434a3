import { inFile, parseJsonFile, readTextFile } from "../../base/files/mod.ts";
import { styleFor } from "../../base/values/mod.ts";
import { CALL_SETTINGS, KIND } from "../../document/settings/mod.ts";
import type { KnownCall } from "../../run/calibration/mod.ts";
import { chooseModels } from "../project/mod.ts";
import type { Command } from "./arguments.ts";

/** `callweave judge calibrate`. */
export const judgeCalibrateCommand: Command = {
  name: "judge calibrate",
  summary: "Compare the judge with known verdicts: agreement and Cohen's kappa",
  spec: {
    positionals: [{ name: "FILE", description: "Calls with known verdicts, as JSON or JSON lines" }],
    flags: {
      model: { value: "MODEL", description: "provider/model or offline (default: from the environment, else offline)" },
      "judge-model": { value: "MODEL", description: "Model of the judge (default: --model)" },
      "min-kappa": {
        value: "KAPPA",
        kind: { type: "number", from: -1, to: 1 },
        description: "Exit with 1 if the overall kappa is below this",
      },
      threshold: CALL_SETTINGS.threshold,
      panel: {
        value: "N",
        kind: KIND.count,
        description: "Number of judges per criterion; the majority decides (default: 1)",
      },
      concurrency: { value: "N", kind: KIND.count, description: "Concurrent judgements (default: 8)" },
      json: { description: "Print the calibration as JSON" },
    },
  },
  notes: [
    'Each call: { "transcript": [{ "role": "assistant" or "user", "content": "…" }], "verdicts": { "criterion": true } }',
    "Exit code 1 when kappa is below --min-kappa; 3 when calls could not be judged, or kappa is undefined.",
  ],
  examples: ["callweave judge calibrate known.jsonl --judge-model openai/gpt-5-mini --min-kappa 0.6"],
  run: async (args, terminal) => {
    const path = args.at("FILE");
    const { calibrateJudge, formatCalibration } = await import("../../run/calibration/mod.ts");
    const calls = await readCalls(path);
    const flags = { model: args.text("model"), judgeModel: args.text("judge-model") };
    const models = chooseModels(flags, terminal.env);
    const threshold = args.number("threshold");
    const panel = args.number("panel");
    const concurrency = args.number("concurrency");
    const least = args.number("min-kappa");
    const calibration = await calibrateJudge(calls, {
      judge: models.judge ?? models.agent,
      signal: terminal.signal,
      ...(threshold === undefined ? {} : { threshold }),
      ...(panel === undefined ? {} : { panel }),
      ...(concurrency === undefined ? {} : { concurrency }),
    });
    const style = styleFor(terminal.stdout, terminal.env);
    terminal.out(
      args.has("json") ? `${JSON.stringify(calibration, null, 2)}\n` : formatCalibration(calibration, style),
    );
    const { overall, errors } = calibration;
    if (least !== undefined && overall.kappa !== null && overall.kappa < least) return 1;
    return errors.length > 0 || (least !== undefined && overall.kappa === null) ? 3 : 0;
  },
};

async function readCalls(path: string): Promise<readonly KnownCall[]> {
  const { parseKnownCalls } = await import("../../run/calibration/mod.ts");
  const values = valuesOf(path, await readTextFile(path));
  try {
    return parseKnownCalls(values);
  } catch (error) {
    throw inFile(error, path);
  }
}

/** Reads JSON, or JSON Lines. */
function valuesOf(path: string, text: string): unknown {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isLines =
    lines.length > 1 && lines.every((line) => line.trimStart().startsWith("{") && line.trimEnd().endsWith("}"));
  return isLines ? lines.map((line) => parseJsonFile(path, line)) : parseJsonFile(path, text);
}
