import { type CallerTrait, traitsOf } from "../../../document/scenario/mod.ts";
import type { AuditFinding } from "../../../document/transcript/mod.ts";
import { type CallOptions, callModel, type Model, traitsSignature } from "../../models/mod.ts";
import type { AuditedCall } from "../audit.ts";
import { findEvidence } from "../evidence.ts";
import { auditByRule, ownLines } from "./rules.ts";

/**
 * Finds the traits that the simulated caller does not show: by rules where they can be computed, else by one call of the
 * judge's model for all of them. A trait that the call gave no occasion for is no finding.
 *
 * The model's word that a trait is shown counts only with words that the caller said.
 *
 * @throws {ModelError} When the model fails or its answer cannot be used.
 * @throws {CallweaveError} `missing-package` when the words of languages cannot be read.
 */
export async function auditTraits(
  call: AuditedCall,
  { model, ...options }: CallOptions & { readonly model: Model },
): Promise<TraitsAudit> {
  const traits = traitsOf(call.traits);
  if (traits.length === 0) return { findings: [], unseen: [] };
  const lines = ownLines(call);
  if (lines.length === 0) return { findings: [unsaid(call)], unseen: [] };
  const findings: AuditFinding[] = [];
  const unseen: string[] = [];
  const unknown: CallerTrait[] = [];
  for (const trait of traits) {
    const found = auditByRule(trait, call);
    if (found.kind === "unknown") unknown.push(trait);
    if (found.kind === "no-occasion") unseen.push(nameOf(trait));
    if (found.kind === "missing") findings.push(notShown(trait, found.reason, lines));
  }
  if (findings.length > 0 || unknown.length === 0) return { findings, unseen };
  const { traits: rulings } = await callModel(
    model,
    traitsSignature,
    {
      persona: call.persona,
      traits: unknown.map((trait) => ({ trait: nameOf(trait), shows: trait.effect.audit.shows })),
      conversation_history: call.transcript.flatMap(({ role, content }) =>
        role === "user" || role === "assistant" ? [{ role, content }] : [],
      ),
    },
    options,
  );
  for (const trait of unknown) {
    const ruling = rulings.find((each) => each.trait === nameOf(trait));
    const isShown = ruling?.shown === true;
    if (!ruling || (!isShown && !ruling.had_occasion)) {
      unseen.push(nameOf(trait));
      continue;
    }
    if (isShown && findEvidence([{ role: "user", quote: ruling.quote }], call.transcript) !== undefined) continue;
    const reason = isShown ? `nobody said "${ruling.quote}", which should show it` : ruling.reasoning;
    findings.push(notShown(trait, reason || "the judge found nothing that shows it", lines));
  }
  return { findings, unseen };
}

/** What an audit of traits found. */
export interface TraitsAudit {
  readonly findings: readonly AuditFinding[];
  /** Traits that the call gave no occasion to show: `patience: short` where nothing was refused. */
  readonly unseen: readonly string[];
}

function nameOf({ trait, value }: CallerTrait): string {
  return `${trait}: ${value}`;
}

function notShown(trait: CallerTrait, reason: string, lines: readonly string[]): AuditFinding {
  const { is, audit } = trait.effect;
  return {
    kind: "trait-not-shown",
    fact: nameOf(trait),
    quote: lines.at(-1) ?? "",
    reason: `The caller does not show that it is "${is}" (${nameOf(trait)}): ${reason}. What shows it: ${audit.shows}`,
  };
}

/** The finding for a caller that said nothing but words that were given to it. */
function unsaid({ transcript, traits }: AuditedCall): AuditFinding {
  const names = traitsOf(traits).map(nameOf).join(", ");
  return {
    kind: "trait-not-shown",
    fact: names,
    quote: transcript.findLast(({ role }) => role === "user")?.content ?? "",
    reason: `The caller said nothing of its own, so that nothing shows its traits (${names})`,
  };
}
