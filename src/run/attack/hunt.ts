import type { Attempt } from "./attempts.ts";
import type { Bench } from "./bench.ts";
import type { Detector } from "./detect.ts";
import { describeFinding } from "./findings.ts";
import { type Shown, shrink } from "./shrink.ts";
import type { Target } from "./targets.ts";
import type { AttackEvent, AttackedTarget, AttackFinding, AttackTechnique } from "./types.ts";

/** What a hunt works with. */
export interface HuntSettings {
  readonly bench: Bench;
  readonly detector: Detector;
  readonly targets: readonly Target[];
  /** Targets that are looked for in every call. */
  readonly watched: readonly Target[];
  readonly tries: number;
  readonly onProgress: (event: AttackEvent) => void;
}

/** Share of the calls that is kept for making conversations smaller, and for repeating them. */
const KEPT = 0.2;

/** The state of a target. */
interface Progress {
  readonly nodes: Set<string>;
  attempts: number;
  answered: number;
  left: number;
  finding: Found | undefined;
}

interface Found {
  readonly shown: Shown;
  readonly attempt: Attempt;
  readonly attempts: number;
  readonly alsoAt: Set<string>;
}

/** Runs the rounds of an attack. A target that is broken is not tried again. */
export async function hunt(
  rounds: readonly { readonly technique: AttackTechnique; readonly attempts: readonly Attempt[] }[],
  settings: HuntSettings,
): Promise<{ readonly findings: readonly AttackFinding[]; readonly attacked: readonly AttackedTarget[] }> {
  const { bench, targets, onProgress } = settings;
  const progress = new Map<Target, Progress>();
  const of = (target: Target): Progress => {
    const known = progress.get(target) ?? { nodes: new Set(), attempts: 0, answered: 0, left: 0, finding: undefined };
    progress.set(target, known);
    return known;
  };
  const findings: AttackFinding[] = [];
  const keep = Math.floor(bench.left() * KEPT);
  for (const { technique, attempts } of rounds) {
    const open = attempts.filter(({ target }) => of(target).finding === undefined);
    if (open.length === 0) continue;
    onProgress({ kind: "round", technique, calls: open.length });
    const found = await runRound(open, { ...settings, keep, of });
    for (const each of found) {
      const finding = await reportFound(each, settings);
      findings.push(finding);
      onProgress({ kind: "finding", title: finding.title, node: finding.node });
    }
  }
  const attacked = targets.map((target): AttackedTarget => {
    const { nodes, attempts, answered, left, finding } = of(target);
    const { kind, title } = target;
    return { kind, title, nodes: [...nodes], attempts, answered, isBroken: finding !== undefined, left };
  });
  return { findings, attacked };
}

type Round = HuntSettings & { readonly keep: number; readonly of: (target: Target) => Progress };

/** Runs the calls of a round; returns what they found, once for each target. */
async function runRound(open: readonly Attempt[], round: Round): Promise<readonly Found[]> {
  const { bench, detector, watched, keep, of } = round;
  const calls = await bench.run(
    open.map((attempt) => ({
      scenario: attempt.scenario,
      criterion: attempt.criterion,
      withstands: (call) => detector.evidenceOf(attempt, call) === undefined,
    })),
    keep,
  );
  const found: Found[] = [];
  for (const [index, attempt] of open.entries()) {
    const state = of(attempt.target);
    const call = calls[index];
    if (!call) {
      state.left += 1;
      continue;
    }
    state.attempts += 1;
    state.nodes.add(attempt.place);
    if (call.status === "pass" || call.status === "fail") state.answered += 1;
    for (const target of new Set([attempt.target, ...watched])) {
      const own = { ...attempt, target };
      const evidence = detector.evidenceOf(own, call);
      if (!evidence) continue;
      const known = of(target);
      if (known.finding) {
        if (known.finding.shown.evidence.node !== evidence.node) known.finding.alsoAt.add(evidence.node);
        continue;
      }
      const shown = { scenario: attempt.scenario, call, evidence };
      known.finding = { shown, attempt: own, attempts: Math.max(1, known.attempts), alsoAt: new Set() };
      found.push(known.finding);
    }
  }
  return found;
}

async function reportFound(
  { shown, attempt, attempts, alsoAt }: Found,
  { bench, detector, tries }: HuntSettings,
): Promise<AttackFinding> {
  const smallest = await shrink(shown, attempt, { bench, detector });
  const finding = await describeFinding(smallest, attempt, { bench, detector, tries, attempts });
  return { ...finding, alsoAt: [...alsoAt].filter((node) => node !== finding.node) };
}
