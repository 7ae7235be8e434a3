import type { AuditFinding } from "../../../document/transcript/mod.ts";
import { quoteLine } from "../quote.ts";
import { type AuditedCall, knownBefore } from "./audited_call.ts";
import { statedFacts, states } from "./stated_facts.ts";

/**
 * Finds facts that the simulated caller invented, if they are recognizable by their form: e-mail addresses, codes and
 * long numbers that occur neither in what the caller was given nor in what the agent or a tool said before. Calls no
 * model. Each fact is reported once, where it was first said.
 */
export function auditFacts(call: AuditedCall): readonly AuditFinding[] {
  const findings: AuditFinding[] = [];
  const scripted = new Set(call.given.map((line) => line.trim()));
  for (const message of call.transcript) {
    if (message.role !== "user" || scripted.has(message.content.trim())) continue;
    for (const fact of statedFacts(message.content)) {
      const isKnown = knownBefore(call, message).some((text) => states(text, fact));
      if (isKnown || findings.some((finding) => finding.fact === fact.text)) continue;
      findings.push({
        kind: "invented-fact",
        fact: fact.text,
        quote: message.content,
        reason: `The caller said "${fact.text}" (${quoteLine(call.transcript, message)}), which neither its persona nor the agent or a tool gave`,
      });
    }
  }
  return findings;
}
